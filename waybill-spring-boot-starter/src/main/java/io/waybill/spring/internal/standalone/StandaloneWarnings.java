package io.waybill.spring.internal.standalone;

import io.waybill.broker.Broker;
import io.waybill.internal.sql.DriverRules;
import io.waybill.internal.text.Loopback;
import io.waybill.kafka.KafkaBroker;
import io.waybill.rabbitmq.RabbitBroker;
import io.waybill.spring.internal.broker.OutboxRoute;
import io.waybill.spring.internal.keys.ConfiguredOutbox;
import io.waybill.spring.properties.WaybillProperties.LayoutName;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;

/** What an outbox's keys allow and whoever wrote them hardly means; nothing is asked for it. */
final class StandaloneWarnings {
  private final ConfiguredOutbox outbox;
  private final Consumer<String> warnings;

  private StandaloneWarnings(ConfiguredOutbox outbox, Consumer<String> warnings) {
    this.outbox = outbox;
    this.warnings = warnings;
  }

  static void of(ConfiguredOutbox outbox, OutboxRoute route, Consumer<String> warnings) {
    StandaloneWarnings all = new StandaloneWarnings(outbox, warnings);
    all.order();
    all.database();
    all.broker(route.broker());
  }

  private void order() {
    if (outbox.properties().layout() == LayoutName.DEBEZIUM
        && outbox.properties().order() == null) {
      warnings.accept(
          outbox.key("order") + " is not given: ids are random, and events of a key have no order");
    }
  }

  private void database() {
    String url = String.valueOf(outbox.properties().database().url());
    DriverRules rules = DriverRules.of(url);
    Matcher parts = rules.url().matcher(url);
    if (outbox.properties().database().sslBundle() == null
        && parts.matches()
        && leaves(List.of(parts.group(2).split(",", -1)))
        && !rules.verified(outbox.properties().database().properties())
        && !String.valueOf(parts.group(4)).contains(rules.tls() + "=verify-full")) {
      warnings.accept(
          outbox.key("database.url")
              + " leaves this machine without a verified connection: set "
              + rules.tls()
              + " to verify-full, or "
              + outbox.key("database.ssl-bundle"));
    }
  }

  private void broker(Broker broker) {
    if (broker instanceof KafkaBroker kafka) {
      List<String> servers = List.of(kafka.config().bootstrapServers().split(",", -1));
      String protocol = kafka.config().properties().getOrDefault("security.protocol", "PLAINTEXT");
      if (protocol.endsWith("PLAINTEXT") && leaves(servers)) {
        warnings.accept(
            outbox.key("kafka.bootstrap-servers")
                + " leave this machine in clear text: set "
                + outbox.key("kafka.ssl-bundle"));
      }
    }
    if (broker instanceof RabbitBroker rabbit
        && rabbit.config().tls() == null
        && leaves(rabbit.config().addresses())) {
      warnings.accept(
          outbox.key("rabbitmq.addresses")
              + " leave this machine in clear text: set "
              + outbox.key("rabbitmq.ssl-bundle"));
    }
  }

  private static boolean leaves(List<String> addresses) {
    return !addresses.stream().allMatch(Loopback::isAddress);
  }
}
