package io.waybill.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.message.Event;
import io.waybill.proof.oracle.KafkaMessage;
import io.waybill.proof.oracle.KafkaTail;
import io.waybill.spring.SpringOutbox;
import io.waybill.spring.Tables;
import io.waybill.spring.TestServers;
import io.waybill.testkit.Patience;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.ApplicationRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.core.env.Environment;
import org.springframework.transaction.support.TransactionTemplate;

@Tag("server")
class RelayLifecycleTest {
  private final Tables tables = Tables.create();
  private final String topic = "orders-" + UUID.randomUUID();

  @BeforeEach
  void createTopic() {
    TestServers.kafka().createTopic(topic, 1, java.util.Map.of());
  }

  private ConfigurableApplicationContext run(Class<?> more, String... properties) {
    List<String> all = new ArrayList<>(List.of(properties));
    all.add("spring.kafka.bootstrap-servers=" + TestServers.kafka().bootstrapServers());
    all.add("waybill.routes.default.target=" + topic);
    all.add("waybill.relay.name=shop-1");
    return SmallApplication.run(more, tables.url(), all.toArray(String[]::new));
  }

  private ConfigurableApplicationContext run(String... properties) {
    return run(SmallApplication.Nothing.class, properties);
  }

  private List<String> arrived(int number) {
    try (KafkaTail tail = new KafkaTail(TestServers.kafka().bootstrapServers(), List.of(topic))) {
      Awaitility.await()
          .atMost(Patience.of(Duration.ofSeconds(20)))
          .until(() -> tail.count() >= number);
      return tail.messages().stream().map(KafkaMessage::key).toList();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Witness {
    final List<String> seen = Collections.synchronizedList(new ArrayList<>());

    @Bean
    ApplicationListener<ContextRefreshedEvent> threads() {
      return event -> {
        boolean any =
            Thread.getAllStackTraces().keySet().stream()
                .anyMatch(
                    thread ->
                        thread.getName().startsWith("waybill-shop-1")
                            || thread.getName().contains("waybill-shop-1"));
        seen.add(any ? "relay before the start" : "no relay before the start");
      };
    }

    /** Not given the relay: what depends on a bean is started after it, whatever their phases. */
    @Bean
    SmartLifecycle probe(ApplicationContext context) {
      return new SmartLifecycle() {
        private boolean running;

        private RelayLifecycle relay() {
          return context.getBean(RelayLifecycle.class);
        }

        @Override
        public void start() {
          running = true;
          seen.add(relay().isRunning() ? "relay started before" : "relay starts later");
        }

        @Override
        public void stop() {
          running = false;
          boolean left = relay().unready().toString().contains("it was stopped");
          seen.add(!relay().isRunning() && left ? "relay stopped before" : "relay stops later");
        }

        @Override
        public boolean isRunning() {
          return running;
        }

        @Override
        public int getPhase() {
          return DEFAULT_PHASE - 1;
        }
      };
    }
  }

  @Test
  void itStartsLastAfterTheContextAndStopsFirst() {
    Witness witness;
    try (ConfigurableApplicationContext context = run(Witness.class)) {
      witness = context.getBean(Witness.class);
      SmallApplication.publish(context, "42");
      assertThat(arrived(1)).containsExactly("42");
    }
    assertThat(witness.seen)
        .containsExactly("relay starts later", "no relay before the start", "relay stopped before");
  }

  /** A runner that works until its own event has arrived. */
  @Configuration(proxyBeanMethods = false)
  static class WaitingRunner {
    final List<String> seen = Collections.synchronizedList(new ArrayList<>());

    @Bean
    ApplicationRunner runner(ConfigurableApplicationContext context, Environment environment) {
      return arguments -> {
        SmallApplication.publish(context, "42");
        String topic = environment.getRequiredProperty("waybill.routes.default.target");
        try (KafkaTail tail =
            new KafkaTail(TestServers.kafka().bootstrapServers(), List.of(topic))) {
          Awaitility.await()
              .atMost(Patience.of(Duration.ofSeconds(20)))
              .until(() -> tail.count() >= 1);
          tail.messages().forEach(message -> seen.add(message.key()));
        }
      };
    }
  }

  @Test
  void aRunnerThatWorksHoldsUpNoEvent() {
    try (ConfigurableApplicationContext context = run(WaitingRunner.class)) {
      assertThat(context.getBean(WaitingRunner.class).seen).containsExactly("42");
    }
  }

  @Test
  void aCommitWakesTheRelay() {
    try (ConfigurableApplicationContext context =
        run("waybill.poll.min=1m", "waybill.poll.max=1m")) {
      Awaitility.await().until(() -> context.getBean(RelayLifecycle.class).unready().isEmpty());
      SmallApplication.publish(context, "1");
      SmallApplication.publish(context, "2");
      assertThat(arrived(2)).containsExactly("1", "2");
    }
  }

  @Test
  void aPoolOfOneConnectionIsTheApplicationsAlone() {
    try (ConfigurableApplicationContext context =
        run("spring.datasource.hikari.maximum-pool-size=1")) {
      for (int i = 0; i < 20; i++) {
        SmallApplication.publish(context, "" + i);
      }
      assertThat(arrived(20)).hasSize(20);
    }
  }

  @Test
  void itIsStoppedAndStartedAgainWithItsContext() {
    try (ConfigurableApplicationContext context = run()) {
      SmallApplication.publish(context, "before");
      assertThat(arrived(1)).containsExactly("before");
      context.stop();
      SmallApplication.publish(context, "meanwhile");
      assertThat(tables.types()).containsExactly("order.placed");
      context.start();
      assertThat(arrived(2)).containsExactly("before", "meanwhile");
    }
  }

  @Test
  void whereAStandaloneRelayWorksNoneRunsHere() {
    try (ConfigurableApplicationContext context =
        SmallApplication.run(tables.url(), "waybill.relay.enabled=false")) {
      SmallApplication.publish(context, "42");

      assertThat(context.getBeanNamesForType(RelayLifecycle.class)).isEmpty();
      assertThat(tables.types()).containsExactly("order.placed");
    }
  }

  @Test
  void itIsOffAltogetherByOneProperty() {
    try (ConfigurableApplicationContext context =
        SmallApplication.run(tables.url(), "waybill.enabled=false")) {
      assertThat(context.getBeanNamesForType(SpringOutbox.class)).isEmpty();
    }
  }

  @Test
  void keptEventsStayAndAreMarked() {
    try (ConfigurableApplicationContext context = run("waybill.outbox.on-published=keep")) {
      context
          .getBean(TransactionTemplate.class)
          .executeWithoutResult(
              status ->
                  context
                      .getBean(SpringOutbox.class)
                      .append(Event.builder("order.kept", "order", "1").json("{}").build()));
      Awaitility.await()
          .until(
              () ->
                  tables
                      .texts("select status from waybill_outbox_status")
                      .equals(List.of("PUBLISHED")));
    }
  }
}
