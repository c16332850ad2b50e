package io.waybill.it.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Confirmation;
import io.waybill.broker.DeadLetterReader;
import io.waybill.broker.Delivery;
import io.waybill.broker.Outgoing;
import io.waybill.broker.Publisher;
import io.waybill.broker.PublisherListener;
import io.waybill.handler.PermanentException;
import io.waybill.inbox.Inbox;
import io.waybill.internal.encode.DeadLetter;
import io.waybill.internal.encode.DeadLetterDecoder;
import io.waybill.message.Destination;
import io.waybill.message.Header;
import io.waybill.message.Transport;
import io.waybill.observe.InboxEvent;
import io.waybill.policy.InboxSettings;
import io.waybill.testkit.Patience;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Dead letters that the broker does not take for their size, on real servers. */
abstract class LargeDeadLetterContract {
  static final int BODY = 900_000;
  private static final Duration LONGEST = Patience.of(Duration.ofSeconds(60));

  final List<InboxEvent> told = new CopyOnWriteArrayList<>();
  private volatile boolean failing = true;

  abstract EffectSource source();

  abstract EffectDatabase database(String name);

  /** Where the events of {@link EffectSource#create} are published. */
  abstract Destination destination(String name);

  abstract DeadLetterReader open(String letters);

  /** From now on letters may have so many bytes; what lies in the topics already may have more. */
  abstract void letters(List<String> sources, int bytes);

  /** Not to be made smaller by anybody. */
  static byte[] binary() {
    byte[] body = new byte[BODY];
    new Random(7).nextBytes(body);
    return body;
  }

  @Test
  void aLetterTooLargeForItsEncodingHasTheBodyAsItIsAndIsSentAgain() throws Exception {
    List<String> sources = source().create("large");
    letters(sources, 1_000_000);
    EffectDatabase database = prepared("large");
    publish("large", "large", binary());
    publish("large", "after-it", new byte[] {'{', '}'});
    try (Inbox inbox = start(database, sources)) {
      await(() -> effects(database).contains("after-it"));
      Sent letter = sources.stream().flatMap(this::letters).findFirst().orElseThrow();
      assertThat(inbox.problem()).isEmpty();
      failing = false;
      publish(letter.again());
      await(() -> effects(database).equals(List.of("after-it", "large")));
      assertThat(inbox.stop(Duration.ofSeconds(20))).isTrue();
    }
    assertThat(source().unacknowledged(sources)).isZero();
    assertThat(told).noneMatch(InboxEvent.DeadLetterWithoutBody.class::isInstance);
  }

  /** A letter, and what is sent again of it. */
  private record Sent(DeadLetter letter, Outgoing again) {}

  final Stream<DeadLetter> found(String source) {
    try (DeadLetterReader reader = open(DeadLetter.nameOf(source))) {
      List<Delivery> page = reader.next();
      return page.stream().map(new DeadLetterDecoder()::decode);
    }
  }

  private Stream<Sent> letters(String source) {
    return found(source)
        .map(
            letter -> {
              DeadLetter.Original original = Objects.requireNonNull(letter.original(), "original");
              assertThat(original.body()).isEqualTo(binary());
              return new Sent(
                  letter,
                  DeadLetterDecoder.again(
                      letter, original, "effects", destination("large"), 1, Instant.now()));
            });
  }

  final void publish(String name, String id, byte[] body) throws Exception {
    publish(
        new Outgoing(
            1,
            destination(name),
            new byte[] {'k'},
            body,
            "application/octet-stream",
            id,
            EffectConsumer.TYPE,
            System.currentTimeMillis(),
            List.of(
                new Header("waybill-event-id", id),
                new Header("waybill-event-type", EffectConsumer.TYPE),
                new Header("waybill-aggregate-id", "k"),
                new Header("content-type", "application/octet-stream"))));
  }

  private void publish(Outgoing message) throws Exception {
    Outcome outcome = new Outcome();
    try (Publisher publisher = EffectConsumer.letters(source().kind(), source().address())) {
      publisher.start(outcome);
      if (EffectConsumer.transport(source().kind()) == Transport.RABBITMQ) {
        outcome.available.get(LONGEST.toSeconds(), TimeUnit.SECONDS);
      }
      publisher.send(message);
      publisher.flush();
      assertThat(outcome.of.get(LONGEST.toSeconds(), TimeUnit.SECONDS))
          .isInstanceOf(Confirmation.Confirmed.class);
    }
  }

  private static final class Outcome implements PublisherListener {
    private final CompletableFuture<Confirmation> of = new CompletableFuture<>();
    private final CompletableFuture<Boolean> available = new CompletableFuture<>();

    @Override
    public void onConfirmation(Confirmation confirmation) {
      of.complete(confirmation);
    }

    @Override
    public void unavailable(String reason) {
      // It is tried on.
    }

    @Override
    public void available() {
      available.complete(true);
    }

    @Override
    public void failed(Throwable cause) {
      of.completeExceptionally(cause);
    }
  }

  final EffectDatabase prepared(String name) throws Exception {
    EffectDatabase database = database(name);
    database.createInbox();
    database.run("create table done (n serial primary key, event_id varchar(64) not null unique)");
    return database;
  }

  static List<String> effects(EffectDatabase database) {
    return database.texts("select event_id from done order by n");
  }

  final Inbox start(EffectDatabase database, List<String> sources) {
    EffectSource source = source();
    return Inbox.builder()
        .store(EffectConsumer.store(database.url()))
        .subscriber(EffectConsumer.subscriber(source.kind(), source.address(), sources))
        .deadLetters(
            EffectConsumer.letters(source.kind(), source.address()),
            EffectConsumer.transport(source.kind()))
        .settings(
            defaults ->
                defaults.deferred(
                    new InboxSettings.Deferred(
                        Duration.ofMillis(100), 10, defaults.deferred().claim())))
        .handlerTimeout(Duration.ofSeconds(2))
        .handler(
            EffectConsumer.TYPE,
            (event, connection) -> {
              if (failing && event.id().equals("large")) {
                throw new PermanentException("it is the large one");
              }
              insert(connection, event.id());
            })
        .listener(told::add)
        .start();
  }

  private static void insert(Connection connection, String id) throws Exception {
    try (PreparedStatement done =
        connection.prepareStatement("insert into done (event_id) values (?)")) {
      done.setString(1, id);
      done.executeUpdate();
    }
  }

  static void await(Callable<Boolean> condition) {
    Awaitility.await().atMost(LONGEST).pollInterval(Duration.ofMillis(100)).until(condition);
  }

  final <T extends InboxEvent> Optional<T> first(Class<T> kind) {
    return told.stream().filter(kind::isInstance).map(kind::cast).findFirst();
  }
}
