package io.waybill.server.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.spring.autoconfigure.StandaloneOutboxes;
import io.waybill.spring.autoconfigure.WaybillProperties;
import io.waybill.spring.config.LoadedConfig;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a standalone relay refuses or warns of, which an application may have. */
class RelayRulesTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "waybill: {} | waybill.outboxes must have at least one outbox",
        "spring.datasource.url: x | spring.datasource has no effect: each outbox has its database",
        "logging.file.name: relay.log | logging.file has no effect: lines go to standard error",
        "logging.pattern.console: '%m' | logging.pattern has no effect",
        "waybill.enabled: false | waybill.enabled must be true",
        "waybill.relay.enabled: false | waybill.relay.enabled must be true",
        "waybill.inbox.sources: [orders] | waybill.inbox is for applications",
        "waybill.broker: spring-cloud-stream | waybill.broker must be kafka or rabbitmq",
        "waybill.outboxes.bills.layout: wallet | waybill.outboxes.bills.database.url must be given",
        "waybill.outbox.retention: 1d | must not stand beside the keys of a single outbox",
        "server.prot: 1 | server.prot is not a known key; did you mean 'port'?",
        "sever.port: 1 | sever is not a known key; did you mean 'server'?",
        "management.metricss.x: 1 | management.metricss is not a known key; did you mean 'metrics'?"
      })
  void isRefused(String line, String rule) {
    String yaml = line.equals("waybill: {}") ? line : Loaded.AWAY + line + "\n";

    assertThat(Loaded.of(folder, yaml, Map.of()).problems())
        .anySatisfy(problem -> assertThat(problem.toString()).contains(rule));
  }

  @Test
  void whatLeavesTheMachineInClearTextIsWarnedOf() {
    String yaml =
        Loaded.AWAY
            .replace("127.0.0.1:9/shop", "db.example.com/shop")
            .replace("127.0.0.1:9", "kafka.example.com:9092")
            .replace("port: 0", "port: 0, address: 0.0.0.0");
    LoadedConfig<WaybillProperties> loaded = Loaded.of(folder, yaml, Map.of());

    assertThat(loaded.problems()).isEmpty();
    assertThat(loaded.warnings())
        .hasSize(3)
        .anyMatch(warning -> warning.contains("sslmode to verify-full"))
        .anyMatch(warning -> warning.contains("bootstrap-servers leave"))
        .anyMatch(warning -> warning.contains("server.address 0.0.0.0"));
  }

  @Test
  void rowsThatNothingOrdersAreWarnedOf() {
    String debezium = Loaded.AWAY.replace("routes:", "layout: debezium\n      routes:");

    assertThat(Loaded.of(folder, debezium, Map.of()).warnings())
        .singleElement()
        .asString()
        .contains("waybill.outboxes.orders.order is not given");
  }

  @Test
  void variablesAloneAreAConfiguration() {
    Map<String, String> variables =
        Map.of(
            "WAYBILL_OUTBOXES_ORDERS_DATABASE_URL", "jdbc:postgresql://127.0.0.1:9/shop",
            "WAYBILL_OUTBOXES_ORDERS_DATABASE_PASSWORD", "secret",
            "WAYBILL_OUTBOXES_ORDERS_DATABASE_PROPERTIES_SSLMODE", "disable",
            "WAYBILL_OUTBOXES_ORDERS_KAFKA_BOOTSTRAP_SERVERS", "127.0.0.1:9",
            "WAYBILL_OUTBOXES_ORDERS_KAFKA_PROPERTIES_COMPRESSION_TYPE", "lz4",
            "WAYBILL_OUTBOXES_ORDERS_ROUTES_DEFAULT_TARGET", "orders",
            // A platform sets these for services that are called waybill and waybill-http.
            "WAYBILL_PORT", "tcp://10.0.0.1:80",
            "WAYBILL_HTTP_SERVICE_HOST", "10.0.0.1");
    LoadedConfig<WaybillProperties> loaded = StandaloneOutboxes.loader().load(variables);

    assertThat(StandaloneOutboxes.of(loaded, "test")).hasSize(1);
    assertThat(loaded.problems()).isEmpty();
    assertThat(loaded.warnings()).isEmpty();
    assertThat(Objects.requireNonNull(Loaded.outbox(loaded, "orders").kafka()).properties())
        .containsEntry("compression.type", "lz4");
    assertThat(Loaded.outbox(loaded, "orders").database().properties())
        .containsEntry("sslmode", "disable");
  }
}
