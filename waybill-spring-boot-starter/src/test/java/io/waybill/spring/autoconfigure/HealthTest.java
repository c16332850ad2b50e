package io.waybill.spring.autoconfigure;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.message.ReceivedEvent;
import io.waybill.proof.server.FreePort;
import io.waybill.spring.Tables;
import io.waybill.spring.TestServers;
import io.waybill.spring.WaybillHandler;
import io.waybill.testkit.Patience;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.availability.ApplicationAvailabilityAutoConfiguration;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroups;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.AvailabilityProbesAutoConfiguration;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.HealthEndpointAutoConfiguration;
import org.springframework.boot.health.autoconfigure.application.AvailabilityHealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration;
import org.springframework.boot.health.autoconfigure.registry.HealthContributorRegistryAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.health.registry.HealthContributorRegistry;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** Health as the application's registry has it. */
@Tag("server")
class HealthTest {
  private static final String TOPIC = "health-" + UUID.randomUUID();

  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration({
    WaybillActuatorAutoConfiguration.class,
    HealthContributorAutoConfiguration.class,
    HealthContributorRegistryAutoConfiguration.class
  })
  static class Application {
    @WaybillHandler("order.placed")
    void handle(ReceivedEvent event) {}
  }

  private static ConfigurableApplicationContext run(String broker, String... more) {
    return run(Application.class, broker, more);
  }

  private static ConfigurableApplicationContext run(
      Class<?> application, String broker, String... more) {
    String[] properties =
        Stream.concat(
                Stream.of(
                    "spring.kafka.bootstrap-servers=" + broker,
                    "waybill.relay.name=shop-1",
                    "waybill.routes.default.target=" + TOPIC,
                    "waybill.schema.mode=apply",
                    "waybill.inbox.consumer=stock",
                    "waybill.inbox.sources=" + TOPIC),
                Stream.of(more))
            .toArray(String[]::new);
    return SmallApplication.run(application, Tables.create().url(), properties);
  }

  private static List<String> names(ConfigurableApplicationContext context) {
    return context.getBean(HealthContributorRegistry.class).stream()
        .map(entry -> entry.name())
        .filter(name -> name.startsWith("waybill"))
        .sorted()
        .toList();
  }

  private static Health health(ConfigurableApplicationContext context, String name) {
    HealthContributorRegistry registry = context.getBean(HealthContributorRegistry.class);
    HealthIndicator indicator = (HealthIndicator) requireNonNull(registry.getContributor(name));
    return requireNonNull(indicator.health());
  }

  private static void awaitDown(
      ConfigurableApplicationContext context, String name, String detail, String reason) {
    Awaitility.await()
        .atMost(Patience.of(Duration.ofSeconds(60)))
        .until(() -> health(context, name).getDetails().toString().contains(reason));
    assertThat(health(context, name).getStatus()).isEqualTo(Status.DOWN);
    assertThat(health(context, name).getDetails()).containsEntry(name(name), detail);
  }

  private static String name(String indicator) {
    return indicator.equals("waybill") ? "relay" : "consumer";
  }

  @Test
  void withoutABrokerRelayAndInboxAreDownAndSayWhy() {
    try (ConfigurableApplicationContext context = run("127.0.0.1:" + FreePort.find())) {
      awaitDown(context, "waybill", "shop-1", "the broker accepts no messages");
      awaitDown(context, "waybillInbox", "stock", "the broker can't be reached");
    }
  }

  @Test
  void withABrokerTheyAreUp() {
    TestServers.kafka().createTopic(TOPIC, 1, Map.of());
    try (ConfigurableApplicationContext context = run(TestServers.kafka().bootstrapServers())) {
      assertThat(names(context)).containsExactly("waybill", "waybillInbox");
      for (String name : names(context)) {
        Awaitility.await()
            .atMost(Patience.of(Duration.ofSeconds(60)))
            .until(() -> health(context, name).getStatus().equals(Status.UP));
      }
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration({
    ApplicationAvailabilityAutoConfiguration.class,
    AvailabilityHealthContributorAutoConfiguration.class,
    AvailabilityProbesAutoConfiguration.class,
    HealthEndpointAutoConfiguration.class
  })
  static class Probed extends Application {}

  /** A broker or database that is away must not have the application killed or taken out. */
  @Test
  void neitherIsInAProbeGroupUnlessSomebodyPutsItThere() {
    String nowhere = "127.0.0.1:" + FreePort.find();
    String probes = "management.endpoint.health.probes.enabled=true";
    try (ConfigurableApplicationContext context = run(Probed.class, nowhere, probes)) {
      HealthEndpointGroups groups = context.getBean(HealthEndpointGroups.class);
      assertThat(groups.getNames()).containsExactlyInAnyOrder("liveness", "readiness");
      for (String group : groups.getNames()) {
        assertThat(names(context))
            .containsExactly("waybill", "waybillInbox")
            .noneMatch(requireNonNull(groups.get(group))::isMember);
      }
    }
    String chosen = "management.endpoint.health.group.readiness.include=readinessState,waybill";
    try (ConfigurableApplicationContext context = run(Probed.class, nowhere, probes, chosen)) {
      HealthEndpointGroups groups = context.getBean(HealthEndpointGroups.class);
      assertThat(requireNonNull(groups.get("readiness")).isMember("waybill")).isTrue();
    }
  }

  @Test
  void eachIsSwitchedOffByItsProperty() {
    String nowhere = "127.0.0.1:" + FreePort.find();
    try (ConfigurableApplicationContext context =
        run(nowhere, "management.health.waybill.enabled=false")) {
      assertThat(names(context)).containsExactly("waybillInbox");
    }
    try (ConfigurableApplicationContext context =
        run(nowhere, "management.health.waybill-inbox.enabled=false")) {
      assertThat(names(context)).containsExactly("waybill");
    }
    try (ConfigurableApplicationContext context = run(nowhere, "waybill.inbox.enabled=false")) {
      assertThat(names(context)).containsExactly("waybill");
    }
    try (ConfigurableApplicationContext context = run(nowhere, "waybill.relay.enabled=false")) {
      assertThat(names(context)).containsExactly("waybillInbox");
    }
  }
}
