package io.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.message.ReceivedEvent;
import io.waybill.observe.RelayEvent;
import io.waybill.observe.RelayListener;
import io.waybill.spring.Tables;
import io.waybill.spring.TestServers;
import io.waybill.spring.WaybillHandler;
import io.waybill.testkit.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Keys whose effect a running application shows: phases, grace periods, retention. */
@Tag("server")
@ExtendWith(OutputCaptureExtension.class)
class LifecycleKeysTest {
  private final Tables tables = Tables.create();
  private final String topic = "orders-" + UUID.randomUUID();

  @Configuration(proxyBeanMethods = false)
  static class Stuck {
    static final CountDownLatch BEGUN = new CountDownLatch(1);
    static final CountDownLatch CLOSING = new CountDownLatch(1);
    static final CountDownLatch CLOSED = new CountDownLatch(1);

    /** Ends after the stop, or within it if that waits as long as it does by default. */
    @WaybillHandler("order.placed")
    void handle(ReceivedEvent event) throws InterruptedException {
      BEGUN.countDown();
      assertThat(CLOSING.await(5, TimeUnit.MINUTES)).isTrue();
      if (CLOSED.await(15, TimeUnit.SECONDS)) {
        throw new IllegalStateException("not interrupted by a stop that did not wait");
      }
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class InFlight {
    static final AtomicInteger ROWS = new AtomicInteger();

    @Bean
    RelayListener gauges() {
      return event -> {
        if (event instanceof RelayEvent.Gauges gauges) {
          ROWS.set(gauges.inFlightRows());
        }
      };
    }
  }

  @BeforeEach
  void createTopic() {
    TestServers.kafka().createTopic(topic, 1, Map.of());
  }

  private ConfigurableApplicationContext run(Class<?> more, String... properties) {
    List<String> all = new ArrayList<>(List.of(properties));
    all.add("spring.kafka.bootstrap-servers=" + TestServers.kafka().bootstrapServers());
    all.add("waybill.routes.default.target=" + topic);
    all.add("waybill.schema.mode=apply");
    return SmallApplication.run(more, tables.url(), all.toArray(String[]::new));
  }

  @Test
  void relayAndInboxHaveTheirPhaseAndTheInboxItsGracePeriod(CapturedOutput output)
      throws InterruptedException {
    ConfigurableApplicationContext context =
        run(
            Stuck.class,
            "waybill.relay.phase=7",
            "waybill.inbox.lifecycle.phase=8",
            "waybill.inbox.lifecycle.grace-period=0s",
            "waybill.inbox.handler-timeout=10m",
            "waybill.inbox.consumer=stock",
            "waybill.inbox.sources=" + topic);
    try {
      assertThat(context.getBean(RelayLifecycle.class).getPhase()).isEqualTo(7);
      assertThat(context.getBean(InboxLifecycle.class).getPhase()).isEqualTo(8);
      SmallApplication.publish(context, "42");
      assertThat(Stuck.BEGUN.await(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      Stuck.CLOSING.countDown();
      context.close();
      Stuck.CLOSED.countDown();
    }
    assertThat(output.getAll()).contains("The inbox was stopped while handlers ran");
  }

  @Test
  void theRelayWaitsNoLongerThanItsGracePeriodForWhatIsInFlight(CapturedOutput output) {
    ConfigurableApplicationContext context =
        run(
            InFlight.class,
            "waybill.relay.grace-period=0s",
            "waybill.limits.view-interval=100ms",
            "waybill.kafka.delivery-timeout=90s");
    try {
      Awaitility.await()
          .atMost(Patience.of(Duration.ofSeconds(60)))
          .until(() -> context.getBean(RelayLifecycle.class).unready().isEmpty());
      TestServers.kafka().freeze();
      SmallApplication.publish(context, "42");
      Awaitility.await().pollInterval(Duration.ofMillis(5)).until(() -> InFlight.ROWS.get() == 1);
      context.close();
    } finally {
      TestServers.kafka().thaw();
      context.close();
    }
    assertThat(output.getAll()).contains("The relay was stopped with events in flight");
  }

  /** The first look is 10 s after the start. */
  @Test
  @Tag("long")
  void keptEventsGoWhenTheirTimeIsUp() {
    try (ConfigurableApplicationContext context =
        run(
            SmallApplication.Nothing.class,
            "waybill.outbox.on-published=keep",
            "waybill.outbox.retention=1h")) {
      SmallApplication.publish(context, "old");
      SmallApplication.publish(context, "young");
      String published = "select count(*) from waybill_outbox_status where status = 'PUBLISHED'";
      Awaitility.await().until(() -> tables.texts(published).equals(List.of("2")));
      tables.run(
          "update waybill_published set published_at = now() - interval '2 hours' where id ="
              + " (select id from waybill_outbox where aggregate_id = 'old')");

      Awaitility.await()
          .atMost(Patience.of(Duration.ofSeconds(60)))
          .until(
              () ->
                  tables.texts("select aggregate_id from waybill_outbox").equals(List.of("young")));
    }
  }
}
