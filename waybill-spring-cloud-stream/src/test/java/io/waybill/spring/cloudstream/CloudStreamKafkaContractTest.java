package io.waybill.spring.cloudstream;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.waybill.broker.Outgoing;
import io.waybill.broker.Publisher;
import io.waybill.message.Destination;
import io.waybill.message.Header;
import io.waybill.spring.RelayBroker;
import io.waybill.testkit.ContractBroker;
import io.waybill.testkit.PublisherContract;
import io.waybill.testkit.Received;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The publisher's contract, through Kafka's binder. */
@Tag("server")
@Tag("long")
class CloudStreamKafkaContractTest extends PublisherContract {
  private static final String CLIENT = "spring.cloud.stream.kafka.binder.configuration.";
  private static KafkaApplication application;

  @BeforeAll
  static void launch() {
    application =
        KafkaApplication.publisher(
            BinderApplication.class,
            "spring.cloud.stream.kafka.binder.auto-create-topics=false",
            CLIENT + "delivery.timeout.ms=3000",
            CLIENT + "request.timeout.ms=2000",
            CLIENT + "max.block.ms=3000");
  }

  @AfterAll
  static void close() {
    application.close();
  }

  @Override
  protected ContractBroker broker() {
    return new Contract();
  }

  /** StreamBridge looks for a missing topic for seconds, under the lock of all its bindings. */
  @Override
  protected boolean keepsDestinationsApart() {
    return false;
  }

  private static final class Contract implements ContractBroker {
    // Notes that the binder leaves for consumers with binders.
    private static final Set<String> BINDERS = Set.of("contentType", "spring_json_header_types");

    @Override
    public Publisher publisher() {
      return application.context().getBean(RelayBroker.class).publisher(Duration.ofSeconds(4));
    }

    @Override
    public Destination create(String name) {
      application.server().createTopic(name, 3, Map.of());
      return absent(name);
    }

    @Override
    public Destination absent(String name) {
      return Destination.topic(name);
    }

    @Override
    public List<Received> stored(Destination destination) {
      Map<String, Object> config =
          Map.of("bootstrap.servers", application.server().bootstrapServers());
      List<Received> found = new ArrayList<>();
      try (var consumer =
          new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
        List<TopicPartition> all =
            consumer.partitionsFor(destination.target()).stream()
                .map(part -> new TopicPartition(part.topic(), part.partition()))
                .toList();
        consumer.assign(all);
        consumer.seekToBeginning(all);
        Map<TopicPartition, Long> ends = consumer.endOffsets(all);
        while (all.stream().anyMatch(p -> consumer.position(p) < ends.getOrDefault(p, 0L))) {
          consumer.poll(Duration.ofMillis(100)).forEach(record -> found.add(received(record)));
        }
      }
      return found;
    }

    private static Received received(ConsumerRecord<byte[], byte[]> message) {
      List<Header> headers = new ArrayList<>();
      message
          .headers()
          .forEach(each -> headers.add(new Header(each.key(), new String(each.value(), UTF_8))));
      headers.removeIf(header -> BINDERS.contains(header.name()));
      // A message of Spring keeps its headers in no order.
      headers.sort((one, other) -> other.name().compareTo(one.name()));
      return new Received(message.key(), message.value(), message.timestamp(), headers);
    }

    @Override
    public void assertSame(Outgoing sent, Received arrived) {
      List<Header> sorted = new ArrayList<>(sent.headers());
      sorted.sort((one, other) -> other.name().compareTo(one.name()));
      ContractBroker.super.assertSame(
          new Outgoing(
              sent.sendId(),
              sent.destination(),
              sent.key(),
              sent.body(),
              sent.contentType(),
              sent.eventId(),
              sent.eventType(),
              sent.timestampMillis(),
              sorted),
          arrived);
    }

    @Override
    public List<Outgoing> refused(Destination good, long firstSendId) {
      return List.of(
          message(firstSendId, good, new Header("id", "1")),
          message(firstSendId + 1, good, new Header("kafka_messageKey", "1")),
          message(firstSendId + 2, good, new Header("h", "1"), new Header("h", "2")),
          message(firstSendId + 3, good, new Header("h", "x".repeat(tooLargeBody()))),
          message(firstSendId + 4, Destination.exchange(good.target(), "key")));
    }

    private static Outgoing message(long id, Destination destination, Header... headers) {
      byte[] key = {1};
      return new Outgoing(id, destination, key, key, "text/plain", "e", "T", 1, List.of(headers));
    }

    @Override
    public boolean keepsByTime() {
      return true;
    }

    @Override
    public int tooLargeBody() {
      return 1_100_000;
    }

    @Override
    public void kill() {
      application.server().kill();
    }

    @Override
    public void restart() {
      application.server().start();
    }

    @Override
    public void freeze() {
      application.server().freeze();
    }

    @Override
    public void thaw() {
      application.server().thaw();
    }
  }
}
