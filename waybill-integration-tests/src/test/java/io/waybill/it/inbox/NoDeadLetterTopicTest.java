package io.waybill.it.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.handler.PermanentException;
import io.waybill.inbox.Inbox;
import io.waybill.internal.encode.DeadLetter;
import io.waybill.message.Transport;
import io.waybill.observe.InboxEvent;
import io.waybill.observe.InboxListener;
import io.waybill.proof.server.KafkaServer;
import io.waybill.proof.server.PostgresServer;
import io.waybill.testkit.Patience;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One message in each partition that nobody can handle, and no topic for its letter, while others
 * go on coming: the keys of those messages stand, nothing else does, and it is told. For as many
 * seconds as {@code -Dtest.outage.seconds} says, 20 by default.
 */
@Tag("server")
@Tag("long")
class NoDeadLetterTopicTest {
  private static final Logger log = LoggerFactory.getLogger(NoDeadLetterTopicTest.class);
  private static final Duration OUTAGE =
      Duration.ofSeconds(Long.getLong("test.outage.seconds", 20));
  private static final Duration ROUND = Duration.ofSeconds(5);
  private static final Duration LIMIT = Duration.ofSeconds(2);
  private static final String TOPIC = "no-letters";
  private static final int PARTITIONS = 6;
  // More than the window of a lane.
  private static final int FIRST = 1_500;
  private static final int EACH_ROUND = 50;

  private static KafkaServer broker;
  private static PostgresServer databases;

  private final Told told = new Told();
  private long start;
  private int published;

  /** What the inbox says of itself. */
  private static final class Told implements InboxListener {
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger stuck = new AtomicInteger();
    private volatile long waiting;
    private volatile Duration oldest = Duration.ZERO;

    @Override
    public void on(InboxEvent event) {
      if (event instanceof InboxEvent.DeadLetterFailed) {
        refused.incrementAndGet();
      } else if (event instanceof InboxEvent.MessageStuck) {
        stuck.incrementAndGet();
      } else if (event instanceof InboxEvent.Waiting last) {
        waiting = last.events();
      } else if (event instanceof InboxEvent.Open open) {
        oldest = open.lanes().values().stream().max(Duration::compareTo).orElse(Duration.ZERO);
      }
    }
  }

  @BeforeAll
  static void launch() {
    broker = KafkaSource.launch();
    databases = PostgresServer.launch();
  }

  @AfterAll
  static void close() {
    broker.close();
    databases.close();
  }

  @Test
  void onlyTheKeysOfWhatCannotBeHandledStandAndAllEndsWellOnceTheTopicIsThere() throws Exception {
    KafkaSource source = new KafkaSource(broker);
    List<String> sources = source.create(TOPIC);
    EffectDatabase database = EffectDatabase.create(databases, "no_letters");
    database.createInbox();
    database.run("create table done (n serial primary key, event_id varchar(64) not null unique)");
    start = System.nanoTime();
    try (KafkaProducer<byte[], byte[]> producer = producer();
        Inbox inbox = inbox(database, sources)) {
      poison(producer);
      publish(producer, FIRST);
      while (!passed(OUTAGE)) {
        long round = System.nanoTime();
        publish(producer, EACH_ROUND);
        await(() -> others(database) == published);
        await(() -> System.nanoTime() - round >= ROUND.toNanos());
        tell(inbox, database);
      }
      assertThat(inbox.problem().orElse("")).contains("event poison-", "topic-missing");
      assertThat(told.stuck.get()).as("WARNs, of the one that is the longest").isPositive();
      // A moment of a busy machine is no message that stands.
      await(() -> told.oldest.compareTo(LIMIT) < 0);
      assertThat(told.waiting).isEqualTo(2 * PARTITIONS);
      assertThat(texts(database, "sick-")).isEmpty();

      source.createLetters(DeadLetter.nameOf(TOPIC));
      await(() -> texts(database, "sick-").size() == PARTITIONS);
      await(() -> inbox.problem().isEmpty());
      await(() -> told.waiting == 0);
      tell(inbox, database);
      assertThat(inbox.stop(Duration.ofSeconds(20))).isTrue();
    }
    assertThat(source.bodies(DeadLetter.nameOf(TOPIC))).hasSize(PARTITIONS);
    assertThat(others(database)).isEqualTo(published);
    assertThat(texts(database, "poison-")).isEmpty();
    assertThat(source.unacknowledged(sources)).isZero();
  }

  private void tell(Inbox inbox, EffectDatabase database) {
    log.info(
        "after {} s: {} of {} events of other keys, {} of {} behind what can't be handled; in the"
            + " table {}, letters refused {}, stuck told {}, oldest open {} ms; problem: {}",
        Duration.ofNanos(System.nanoTime() - start).toSeconds(),
        others(database),
        published,
        texts(database, "sick-").size(),
        PARTITIONS,
        told.waiting,
        told.refused,
        told.stuck,
        told.oldest.toMillis(),
        inbox.problem().orElse("none"));
  }

  private boolean passed(Duration time) {
    return System.nanoTime() - start >= time.toNanos();
  }

  private Inbox inbox(EffectDatabase database, List<String> sources) {
    return Inbox.builder()
        .store(EffectConsumer.store(database.url()))
        .subscriber(EffectConsumer.subscriber("kafka", broker.bootstrapServers(), sources))
        .deadLetters(EffectConsumer.letters("kafka", broker.bootstrapServers()), Transport.KAFKA)
        .handlerTimeout(LIMIT)
        .handler(
            EffectConsumer.TYPE,
            (event, connection) -> {
              if (event.id().startsWith("poison-")) {
                throw new PermanentException("it is a poisonous one");
              }
              try (PreparedStatement done =
                  connection.prepareStatement("insert into done (event_id) values (?)")) {
                done.setString(1, event.id());
                done.executeUpdate();
              }
            })
        .listener(told)
        .start();
  }

  private static KafkaProducer<byte[], byte[]> producer() {
    return new KafkaProducer<>(
        Map.of("bootstrap.servers", broker.bootstrapServers()),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  /** The first of each partition, one of them large, and one of the same key behind it. */
  private static void poison(KafkaProducer<byte[], byte[]> producer) throws Exception {
    List<ProducerRecord<byte[], byte[]>> messages = new ArrayList<>();
    for (int partition = 0; partition < PARTITIONS; partition++) {
      byte[] body = partition == 0 ? LargeDeadLetterContract.binary() : "{}".getBytes(UTF_8);
      messages.add(message(partition, "sick", "poison-" + partition, body));
      messages.add(message(partition, "sick", "sick-" + partition, "{}".getBytes(UTF_8)));
    }
    send(producer, messages);
  }

  /** So many events in each partition, of ten keys. */
  private void publish(KafkaProducer<byte[], byte[]> producer, int each) throws Exception {
    int first = published;
    send(
        producer,
        IntStream.range(first, first + each * PARTITIONS)
            .mapToObj(i -> message(i % PARTITIONS, "k" + i % 60, "e" + i, "{}".getBytes(UTF_8)))
            .toList());
    published += each * PARTITIONS;
  }

  private static ProducerRecord<byte[], byte[]> message(
      int partition, String key, String id, byte[] body) {
    ProducerRecord<byte[], byte[]> message =
        new ProducerRecord<>(TOPIC, partition, (key + partition).getBytes(UTF_8), body);
    message.headers().add("waybill-event-id", id.getBytes(UTF_8));
    message.headers().add("waybill-event-type", EffectConsumer.TYPE.getBytes(UTF_8));
    return message;
  }

  private static void send(
      KafkaProducer<byte[], byte[]> producer, List<ProducerRecord<byte[], byte[]>> messages)
      throws ExecutionException, InterruptedException {
    List<Future<RecordMetadata>> sends = messages.stream().map(producer::send).toList();
    for (Future<RecordMetadata> send : sends) {
      send.get();
    }
  }

  private static long others(EffectDatabase database) {
    return database.number("select count(*) from done where event_id like 'e%'");
  }

  private static List<String> texts(EffectDatabase database, String prefix) {
    return database.texts(
        "select event_id from done where event_id like '" + prefix + "%' order by n");
  }

  private static void await(Callable<Boolean> condition) {
    Awaitility.await()
        .atMost(Patience.of(Duration.ofSeconds(90)))
        .pollInterval(Duration.ofMillis(100))
        .until(condition);
  }
}
