package io.waybill.server.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.spring.WaybillStartException;
import io.waybill.spring.internal.config.LoadedConfig;
import io.waybill.spring.internal.standalone.StandaloneOutboxes;
import io.waybill.spring.properties.WaybillProperties;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
        "management.server.port: 9090 | management.server has no effect",
        "spring.main.sources: a.B | spring.main does not apply to a relay",
        "spring.autoconfigure.exclude: a.B | spring.autoconfigure does not apply to a relay",
        "spring.security.user.name: joe | needs spring.security.user.password as well",
        "waybill.console.enabled: true | waybill.console.enabled has no effect without waybill.api.enabled",
        "waybill.console.trace-url: 'https://traces.example/{trace}' | waybill.console.trace-url must be like",
        "waybill.console.trace-url: 'ftp://traces.example/{trace-id}' | waybill.console.trace-url must be like",
        "waybill.api: {users: users} | waybill.api.users has no effect without waybill.api.enabled",
        "waybill.api: {login.idle: 1h} | waybill.api.login.idle has no effect without waybill.api",
        "waybill.api: {enabled: true, login.idle: 5s} | waybill.api.login.idle must be",
        "waybill.api: {enabled: true, login.lifetime: 31d} | waybill.api.login.lifetime must be",
        "waybill.api: {enabled: true, login.outbox: x} | must be a name below waybill.outboxes",
        "server.ssl.bundle: nosuch | must name one of spring.ssl.bundle.pem or .jks",
        "logging.config: /no/such.xml | logging.config must be an existing file",
        "server.forward-headers-strategy: FRAMEWORK | must be native or none: framework believes",
        "server.forward-headers-strategy: native | needs server.tomcat.remoteip.internal-proxies",
        "server.tomcat.remoteip.remote-ip-header: x | needs server.tomcat.remoteip.internal-proxies",
        "waybill.enabled: false | waybill.enabled must be true",
        "waybill.relay.enabled: false | waybill.relay.enabled must be true",
        "waybill.inbox.sources: [orders] | waybill.inbox is for applications",
        "waybill.broker: spring-cloud-stream | waybill.broker must be kafka or rabbitmq",
        "waybill.outboxes.bills.layout: wallet | waybill.outboxes.bills.database.url must be given",
        "waybill.outbox.retention: 1d | must not be combined with the keys of a single outbox",
        "server.prot: 1 | server.prot is not a known key; did you mean 'port'?",
        "sever.port: 1 | sever is not a known key; did you mean 'server'?",
        "management.metricss.x: 1 | management.metricss is not a known key; did you mean 'metrics'?"
      })
  void isRefused(String line, String rule) {
    String yaml = line.equals("waybill: {}") ? line : Loaded.AWAY + line + "\n";

    assertThat(Loaded.of(folder, yaml, Map.of()).problems())
        .anySatisfy(problem -> assertThat(problem.toString()).contains(rule));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SERVER_PORT | no | server.port must be a whole number from 0 to 65535, but is 'no' (SERVER_PORT)",
        "SERVER_TOMCAT_CONNECTIONTIMEOUT | soon | must be a time",
        "LOGGING_LEVEL_IO_WAYBILL | loud | logging.level.io_waybill must be one of",
        "MANAGEMENT_SERVER_PORT | 9090 | management.server has no effect",
        "SPRING_MAIN_WEBAPPLICATIONTYPE | none | spring.main does not apply to a relay",
        "SPRING_AUTOCONFIGURE_EXCLUDE | a.B | spring.autoconfigure does not apply to a relay",
        "SPRING_APPLICATION_JSON | {} | spring.application.json has no effect",
        "SPRING_SECURITY_USER_PASSWORD | '' | spring.security.user.password must not be empty"
      })
  void aVariableIsRefusedLikeAKeyOfTheFile(String name, String value, String rule) {
    String yaml = Loaded.AWAY.replace("server: {port: 0}", "");
    assertThat(Loaded.of(folder, yaml, Map.of(name, value)).problems())
        .anySatisfy(problem -> assertThat(problem.toString()).contains(rule));
  }

  @Test
  void variablesOfAServiceThatIsCalledServerArePassedOver() {
    Map<String, String> variables =
        Map.of("SERVER_PORT", "tcp://10.0.0.1:80", "SERVER_SERVICE_HOST", "10.0.0.1");
    LoadedConfig<WaybillProperties> loaded = Loaded.of(folder, Loaded.AWAY, variables);

    assertThat(loaded.problems()).isEmpty();
    assertThat(loaded.environment().getProperty("server.port")).isEqualTo("0");
  }

  @Test
  void aUsersFileThatCannotBeReadStopsNothing() {
    LoadedConfig<WaybillProperties> loaded =
        Loaded.of(folder, Loaded.AWAY + "waybill.api: {enabled: true, users: nosuch}\n", Map.of());

    assertThat(loaded.problems()).isEmpty();
    assertThat(loaded.warnings())
        .singleElement()
        .asString()
        .contains("waybill.api.users: nosuch cannot be read (waybill users add creates one)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SERVER_PORT | -1 | server.port must not be -1 where waybill.api.enabled is true",
        "SPRING_SECURITY_USER_PASSWORD | x | spring.security.user.roles must have one like WAYBILL_VIEWER"
      })
  void theApiNeedsAPortAndARole(String name, String value, String rule) {
    Map<String, String> variables = Map.of("WAYBILL_API_ENABLED", "true", name, value);
    String yaml = Loaded.AWAY.replace("server: {port: 0}", "");

    assertThat(Loaded.of(folder, yaml, variables).problems())
        .anySatisfy(problem -> assertThat(problem.toString()).contains(rule));
  }

  @Test
  void proxiesThatAreNamedAreBelieved() {
    Map<String, String> variables =
        Map.of(
            "SERVER_FORWARDHEADERSSTRATEGY", "native",
            "SERVER_TOMCAT_REMOTEIP_INTERNALPROXIES", "10\\.0\\.0\\.5");

    assertThat(Loaded.of(folder, Loaded.AWAY, variables).problems()).isEmpty();
  }

  @Test
  void rolesMayBeAList() {
    String user =
        "spring.security.user: {name: a, password: '${P}', roles: [X, WAYBILL_VIEWER_orders]}";
    LoadedConfig<WaybillProperties> loaded =
        Loaded.of(
            folder, Loaded.AWAY + "waybill.api.enabled: true\n" + user + "\n", Map.of("P", "x"));

    assertThat(loaded.problems()).isEmpty();
  }

  @Test
  void anAddressInAnotherWayOfWritingIsSeen() {
    String yaml = Loaded.AWAY.replace("port: 0", "port: 0, Address: 0.0.0.0");
    LoadedConfig<WaybillProperties> loaded = Loaded.of(folder, yaml, Map.of());

    assertThat(loaded.warnings()).singleElement().asString().contains("server.address 0.0.0.0");
    assertThat(RelayDefaults.of(loaded.environment(), loaded.get()))
        .containsEntry("management.endpoint.health.show-details", "when-authorized");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "server.address: no.such.host.invalid",
        "server.ssl.enabled: true",
        "management.endpoint.health.group.readiness.include: nosuch"
      })
  void whatSpringBootRefusesIsTold(String line) {
    LoadedConfig<WaybillProperties> loaded = Loaded.of(folder, Loaded.AWAY + line + "\n", Map.of());

    assertThatThrownBy(() -> RelayProcess.start(loaded, () -> {}, cause -> {}))
        .isInstanceOf(WaybillStartException.class)
        .hasMessageStartingWith("The relay cannot start with these settings: ");
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

  @ParameterizedTest
  @CsvSource({"kafka, cannot be used", "nosuch, names no SSL bundle"})
  void anSslBundleThatCannotBeUsedIsRefused(String bundle, String rule) {
    String yaml =
        Loaded.AWAY.replace("[\"127.0.0.1:9\"]", "[\"127.0.0.1:9\"], ssl-bundle: " + bundle)
            + "spring.ssl.bundle.pem.kafka.truststore.certificate: 'file:/nowhere.pem'\n";

    assertThat(Loaded.of(folder, yaml, Map.of()).problems())
        .singleElement()
        .satisfies(problem -> assertThat(problem.toString()).contains(rule, bundle));
  }
}
