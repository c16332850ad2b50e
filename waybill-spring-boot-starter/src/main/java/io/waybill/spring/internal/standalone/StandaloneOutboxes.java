package io.waybill.spring.internal.standalone;

import io.waybill.internal.sql.DriverRules;
import io.waybill.kafka.KafkaPublisherConfig;
import io.waybill.spring.internal.broker.OutboxRoute;
import io.waybill.spring.internal.broker.OutboxRoutes;
import io.waybill.spring.internal.config.ConfigLoader;
import io.waybill.spring.internal.config.LoadedConfig;
import io.waybill.spring.internal.database.OwnConnections;
import io.waybill.spring.internal.keys.BrokerContext;
import io.waybill.spring.internal.keys.ConfiguredOutbox;
import io.waybill.spring.internal.keys.Outboxes;
import io.waybill.spring.internal.keys.Problems;
import io.waybill.spring.internal.keys.RelayChecks;
import io.waybill.spring.properties.WaybillProperties;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.autoconfigure.ssl.PropertiesSslBundle;
import org.springframework.boot.autoconfigure.ssl.SslProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.io.ApplicationResourceLoader;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.io.ResourceLoader;

/** The outboxes of a standalone relay's configuration, for a command line: no application runs. */
public final class StandaloneOutboxes {
  private static final ConfigLoader<WaybillProperties> LOADER =
      ConfigLoader.of("waybill", WaybillProperties.class)
          .identifiers("outboxes")
          .ownVariables("WAYBILL_CONFIG", "WAYBILL_JAVA_OPTS", "WAYBILL_TOKEN")
          .others("server", "management", "logging", "spring", "notification")
          .allow(
              "outboxes.*.database.properties",
              beside -> DriverRules.of(beside.apply("url")).names())
          .allow("outboxes.*.kafka.properties", beside -> KafkaPublisherConfig.allowedProperties())
          .allow("kafka.properties", beside -> KafkaPublisherConfig.allowedProperties());

  private StandaloneOutboxes() {}

  /**
   * Reads the keys of a standalone relay.
   *
   * @return the loader
   */
  public static ConfigLoader<WaybillProperties> loader() {
    return LOADER;
  }

  /**
   * Checks everything that needs no database or broker, and adds each problem to those of the
   * configuration.
   *
   * @param loaded what was read
   * @param relay name in tables and at the broker
   * @return the outboxes, in the order of their names; all of them only if there are no problems
   */
  public static List<StandaloneOutbox> of(LoadedConfig<WaybillProperties> loaded, String relay) {
    return loaded.partial().map(properties -> of(loaded, properties, relay)).orElse(List.of());
  }

  private static List<StandaloneOutbox> of(
      LoadedConfig<WaybillProperties> loaded, WaybillProperties properties, String relay) {
    BrokerContext context = context(loaded.environment());
    checkForm(loaded, properties);
    if (properties.outboxes().isEmpty()) {
      return List.of();
    }
    Outboxes outboxes = Outboxes.unchecked(properties, relay, context);
    Problems problems = outboxes.problems();
    outboxes.check(properties, context);
    RelayChecks.ofProcess(properties, problems);
    List<StandaloneOutbox> all = new ArrayList<>();
    for (ConfiguredOutbox outbox : outboxes.all()) {
      if (outbox.relayedOnly()) {
        problems.attempt(
            outbox,
            () -> {
              OutboxRoute route = OutboxRoutes.route(outbox, null, properties, problems, context);
              StandaloneWarnings.of(outbox, route, loaded::warn);
              all.add(
                  StandaloneOutbox.of(
                      outboxes,
                      outbox,
                      route,
                      properties.relay(),
                      OwnConnections.of(outbox, context)));
            });
      } else {
        loaded.problem(outbox.key("database.url"), "must be given");
      }
    }
    problems.all().forEach(each -> loaded.problem(each.key(), each.rule(), each.value()));
    return all;
  }

  private static void checkForm(
      LoadedConfig<WaybillProperties> loaded, WaybillProperties properties) {
    if (properties.outboxes().isEmpty()) {
      loaded.problem("waybill.outboxes", "must have at least one outbox");
    }
    if (!properties.enabled()) {
      loaded.problem("waybill.enabled", "must be true in a standalone relay");
    }
    if (!properties.relay().enabled() && !properties.api().enabled()) {
      loaded.problem(
          "waybill.relay.enabled",
          "must be true in a standalone relay, unless it serves the API (waybill.api.enabled)");
    }
    if (properties.inbox().consumer() != null || !properties.inbox().sources().isEmpty()) {
      loaded.problem("waybill.inbox", "is for applications: a standalone relay has no handlers");
    }
    if (properties.broker() == WaybillProperties.Broker.SPRING_CLOUD_STREAM) {
      loaded.problem("waybill.broker", "must be kafka or rabbitmq in a standalone relay");
    }
  }

  private static BrokerContext context(ConfigurableEnvironment environment) {
    StaticListableBeanFactory beans = new StaticListableBeanFactory();
    ResourceLoader resources = ApplicationResourceLoader.get();
    DefaultSslBundleRegistry bundles = new DefaultSslBundleRegistry();
    SslProperties.Bundles given =
        Binder.get(environment).bindOrCreate("spring.ssl", SslProperties.class).getBundle();
    given
        .getPem()
        .forEach(
            (name, pem) -> bundles.registerBundle(name, PropertiesSslBundle.get(pem, resources)));
    given
        .getJks()
        .forEach(
            (name, jks) -> bundles.registerBundle(name, PropertiesSslBundle.get(jks, resources)));
    beans.addBean("sslBundles", bundles);
    return new BrokerContext(environment, beans, resources, new LinkedHashSet<>());
  }
}
