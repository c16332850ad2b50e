package io.waybill.spring.internal.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.waybill.kafka.KafkaBroker;
import io.waybill.kafka.KafkaPublisherConfig;
import io.waybill.kafka.KafkaSubscriberConfig;
import io.waybill.layout.Layouts;
import io.waybill.spring.WaybillStartException;
import io.waybill.spring.properties.WaybillProperties;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;

/** Which properties reach Kafka's clients. */
class KafkaSourceTest extends BrokerKeys {
  private KafkaSubscriberConfig subscriber() {
    WaybillProperties bound = bound();
    return KafkaSource.subscriber(bound.kafka(), context(), bound.inbox(), "stock");
  }

  @Test
  void kafkaIsTakenFromSpring() {
    set("spring.kafka.bootstrap-servers", "one:9092,two:9092");
    set("spring.kafka.properties.metadata.max.age.ms", "1000");
    set("spring.kafka.properties.session.timeout.ms", "1000");
    set("spring.kafka.properties.security.protocol", "SASL_SSL");
    set("spring.kafka.producer.compression-type", "zstd");
    set("spring.kafka.producer.properties.linger.ms", "7");
    set("spring.kafka.ssl.trust-store-type", "PKCS12");

    KafkaPublisherConfig config = kafka();

    assertThat(config.bootstrapServers()).isEqualTo("one:9092,two:9092");
    assertThat(config.properties())
        .containsEntry("metadata.max.age.ms", "1000")
        .containsEntry("compression.type", "zstd")
        .containsEntry("linger.ms", "7")
        .containsEntry("security.protocol", "SASL_SSL")
        .containsEntry("ssl.truststore.type", "PKCS12")
        .containsEntry("client.id", "waybill-shop-1")
        .doesNotContainKey("session.timeout.ms");
    assertThat(config.createTopics()).isNull();
  }

  @Test
  void eventsOfAnAdoptedTableAreCompressedOnlyIfKeysSaySo() {
    set("spring.kafka.bootstrap-servers", "one:9092");
    assertThat(kafka().properties()).doesNotContainKey("compression.type");
    assertThat(adopted().properties()).containsEntry("compression.type", "none");

    set("spring.kafka.producer.compression-type", "gzip");
    assertThat(adopted().properties()).containsEntry("compression.type", "gzip");
  }

  private KafkaPublisherConfig adopted() {
    return ((KafkaBroker) broker(Layouts.POLYSHOP)).config();
  }

  @Test
  void whatWaybillsOwnKeysSayAboutKafkaComesFirst() {
    set("spring.kafka.bootstrap-servers", "one:9092");
    set("spring.kafka.producer.bootstrap-servers", "two:9092");
    assertThat(kafka().bootstrapServers()).isEqualTo("two:9092");

    set("waybill.kafka.bootstrap-servers", "three:9092");
    set("waybill.kafka.properties.linger.ms", "3");
    set("spring.kafka.properties.linger.ms", "7");
    set("waybill.kafka.delivery-timeout", "20s");
    set("waybill.kafka.request-timeout", "3s");
    set("waybill.kafka.create-topics.partitions", "5");
    KafkaPublisherConfig config = kafka();

    assertThat(config.bootstrapServers()).isEqualTo("three:9092");
    assertThat(config.properties()).containsEntry("linger.ms", "3");
    assertThat(config.deliveryTimeout()).isEqualTo(Duration.ofSeconds(20));
    assertThat(config.requestTimeout()).isEqualTo(Duration.ofSeconds(3));
    assertThat(config.createTopics()).isNotNull();
  }

  @Test
  void aPropertyThatCouldLoseEventsIsRefused() {
    set("waybill.kafka.bootstrap-servers", "one:9092");
    set("waybill.kafka.properties.acks", "1");

    assertThatExceptionOfType(WaybillStartException.class)
        .isThrownBy(this::kafka)
        .withMessageContaining("acks: must be all");
  }

  @Test
  void connectionDetailsOfKafkaReplaceTheProperties() {
    set("waybill.broker", "kafka");
    set("spring.kafka.bootstrap-servers", "one:9092");
    beans.registerSingleton("details", (KafkaConnectionDetails) () -> List.of("container:1234"));

    assertThat(kafka().bootstrapServers()).isEqualTo("container:1234");
  }

  @Test
  void kafkasConsumerIsTakenFromSpringToo() {
    set("spring.kafka.bootstrap-servers", "one:9092");
    set("spring.kafka.consumer.bootstrap-servers", "two:9092");
    set("spring.kafka.consumer.auto-offset-reset", "latest");
    set("spring.kafka.consumer.properties.session.timeout.ms", "9000");
    set("spring.kafka.properties.metadata.max.age.ms", "1000");
    set("spring.kafka.producer.properties.linger.ms", "7");
    set("waybill.kafka.properties.fetch.min.bytes", "10");
    set("waybill.kafka.properties.linger.ms", "3");
    set("waybill.inbox.sources", "orders,payments");
    set("waybill.inbox.kafka.window", "50");
    set("waybill.inbox.kafka.revocation-wait", "15s");

    KafkaSubscriberConfig config = subscriber();

    assertThat(config.bootstrapServers()).isEqualTo("two:9092");
    assertThat(config.groupId()).isEqualTo("stock");
    assertThat(config.topics()).containsExactly("orders", "payments");
    assertThat(config.start()).isEqualTo(KafkaSubscriberConfig.Start.LATEST);
    assertThat(config.window()).isEqualTo(50);
    assertThat(config.revocationLimit()).isEqualTo(Duration.ofSeconds(25));
    assertThat(config.properties())
        .containsEntry("session.timeout.ms", "9000")
        .containsEntry("metadata.max.age.ms", "1000")
        .containsEntry("fetch.min.bytes", "10")
        .containsEntry("client.id", "waybill-stock")
        .doesNotContainKey("linger.ms");
    assertThat(kafka().properties())
        .containsEntry("linger.ms", "3")
        .doesNotContainKey("fetch.min.bytes");

    set("spring.kafka.consumer.auto-offset-reset", "None");
    assertThat(subscriber().start()).isEqualTo(KafkaSubscriberConfig.Start.REFUSE);
    set("spring.kafka.consumer.auto-offset-reset", "by_duration:PT1H");
    assertThatExceptionOfType(WaybillStartException.class)
        .isThrownBy(this::subscriber)
        .withMessageContaining("must be earliest, latest or none, is by_duration:PT1H");
    set("waybill.inbox.kafka.start", "refuse");
    assertThat(subscriber().start()).isEqualTo(KafkaSubscriberConfig.Start.REFUSE);
    set("waybill.inbox.sources", "no topic");
    assertThatExceptionOfType(WaybillStartException.class)
        .isThrownBy(this::subscriber)
        .withMessageContaining("no topic")
        .withMessageContaining("waybill.inbox");
  }
}
