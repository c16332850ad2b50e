package io.waybill.spring.cloudstream;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.broker.Publisher;
import io.waybill.message.Destination;
import io.waybill.spring.RelayBroker;
import io.waybill.testkit.Patience;
import io.waybill.testkit.PublisherRecorder;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.cloud.stream.binder.BinderCustomizer;
import org.springframework.cloud.stream.binder.kafka.KafkaMessageChannelBinder;
import org.springframework.cloud.stream.binder.kafka.support.ProducerConfigCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** An application whose customizers take from its binder what Waybill needs, or fail. */
@Tag("server")
@Tag("long")
class BrokenBinderTest {
  private static final AtomicInteger CUSTOMIZED = new AtomicInteger();
  private static KafkaApplication application;

  private final PublisherRecorder recorder = new PublisherRecorder();
  private Publisher publisher;

  @Configuration(proxyBeanMethods = false)
  static class Customizers {
    @Bean
    BinderCustomizer replacing() {
      return (binder, name) -> {
        CUSTOMIZED.incrementAndGet();
        if (binder instanceof KafkaMessageChannelBinder kafkas) {
          kafkas.setProducerMessageHandlerCustomizer((handler, topic) -> {});
        }
      };
    }

    @Bean
    ProducerConfigCustomizer failing() {
      return (config, binding, topic) -> {
        if (topic.equals("unlinked")) {
          throw new LinkageError("a class is missing");
        }
      };
    }
  }

  @BeforeAll
  static void launch() {
    application = KafkaApplication.publisher(Customizers.class);
  }

  @AfterAll
  static void close() {
    application.close();
  }

  @BeforeEach
  void start() {
    publisher = application.context().getBean(RelayBroker.class).publisher(Duration.ofMinutes(1));
    publisher.start(recorder);
  }

  @AfterEach
  void stop() {
    publisher.close();
  }

  private Confirmation.Unknown unknown(long id, String binding) {
    byte[] body = {1};
    publisher.send(
        new Outgoing(
            id, Destination.topic(binding), body, body, "text/plain", "e", "T", 1, List.of()));
    Awaitility.await()
        .atMost(Patience.of(Duration.ofSeconds(30)))
        .until(() -> recorder.outcome(id) != null);
    return (Confirmation.Unknown) Objects.requireNonNull(recorder.outcome(id));
  }

  @Test
  void aSendThatNothingWillConfirmSaysSoAtOnceAndEventsDoNotAskForTheBinder() {
    Confirmation.Unknown first = unknown(1, "orders");
    assertThat(first.reason()).isEqualTo("no-future");
    assertThat(first.detail()).contains("binding 'orders' gave no future", "BinderCustomizer");
    int asked = CUSTOMIZED.get();

    unknown(2, "orders");
    unknown(3, "orders");

    assertThat(CUSTOMIZED).hasValue(asked);
  }

  @Test
  void anErrorEndsOneSendAndNotItsDestination() {
    assertThat(unknown(1, "unlinked").detail()).contains("LinkageError", "a class is missing");
    assertThat(unknown(2, "unlinked").reason()).isEqualTo("send-failed");
  }
}
