package io.waybill.spring.internal.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every bad value is refused with its key, the rule, the value and its line. */
class BadConfigTest {
  private static final String OUTBOX = "waybill.outboxes.orders.";
  @TempDir private Path folder;

  @ParameterizedTest(name = "{0}")
  @MethodSource({"values", "names", "others", "files", "databases", "brokers"})
  void isRefused(String yaml, String key, String rule, String value) {
    List<Problem> problems = Configs.problems(folder, yaml, Map.of());

    assertThat(problems)
        .anySatisfy(
            problem -> {
              assertThat(problem.key()).isEqualTo(key);
              assertThat(problem.rule()).contains(rule);
              assertThat(problem.value()).isEqualTo(value);
              if (!rule.equals("must be given")) {
                assertThat(problem.origin()).matches("relay\\.yaml( line [0-9]+)?");
              }
            });
    assertThat(problems).as("nothing follows from it").hasSize(1);
    assertThat(problems.toString()).doesNotContainPattern("\\p{Cntrl}");
  }

  static Stream<Arguments> values() {
    return Stream.of(
        top("relay: {phase: x}", "relay.phase", "must be a whole number", "x"),
        top("relay: {phase: 80.5}", "relay.phase", "whole number", "80.5"),
        top("relay: {phase: 0x50}", "relay.phase", "whole number", "0x50"),
        top("relay: {phase: 1_000}", "relay.phase", "whole number", "1_000"),
        top("relay: {phase: 1:30}", "relay.phase", "whole number", "1:30"),
        top("relay: {phase: 9999999999}", "relay.phase", "to 2147483647", "9999999999"),
        top(
            "relay: {phase: 99999999999999999999}",
            "relay.phase",
            "to 2147483647",
            "99999999999999999999"),
        top("relay: {phase: }", "relay.phase", "has no value", ""),
        top("relay: {phase: ''}", "relay.phase", "has no value", ""),
        top("relay: {name: }", "relay.name", "has no value", ""),
        top("relay: {phase: [80]}", "relay.phase", "must be one value", ""),
        top("relay: {phase: {a: 80}}", "relay.phase", "must be one value", ""),
        top("relay: {enabled: yes}", "relay.enabled", "true or false", "yes"),
        top("relay: {enabled: \"a\\nb\"}", "relay.enabled", "true or false", "a\\nb"),
        top("relay: {enabled: \"\\e[31m\"}", "relay.enabled", "true or false", "\\u001b[31m"),
        top("relay: {grace-period: 20}", "relay.grace-period", "with a unit", "20"),
        top("relay: {grace-period: 20 s}", "relay.grace-period", "with a unit", "20 s"),
        top("relay: {grace-period: 20sec}", "relay.grace-period", "with a unit", "20sec"),
        top("relay: {grace-period: -5s}", "relay.grace-period", "with a unit", "-5s"),
        top("relay: {grace-period: 1.5s}", "relay.grace-period", "with a unit", "1.5s"),
        top("relay: {grace-period: PT}", "relay.grace-period", "with a unit", "PT"),
        limit("lease: 999999999999999999d", "lease", "at most 100000d", "999999999999999999d"),
        limit("max-bytes: 32", "max-bytes", "with a unit", "32"),
        limit("max-bytes: 32Mib", "max-bytes", "with a unit", "32Mib"),
        limit("max-bytes: 99999999999TB", "max-bytes", "at most", "99999999999TB"),
        limit("max-rows: 0", "max-rows", "from 1 to", "0"),
        outbox("layout: oracle", "layout", "one of waybill, notification, event-outbox", "oracle"),
        outbox("failure: {policy: drop}", "failure.policy", "one of park, bury", "drop"),
        outbox("retry: {policy: linear}", "retry.policy", "one of backoff, constant", "linear"),
        outbox("poll: {mode: often}", "poll.mode", "fixed-delay, fixed-rate", "often"),
        outbox(
            "bindings: [{exchange: e, queue: [q]}]", "bindings[0].queue", "must be one value", ""),
        outbox("bindings: [{exchange: e}]", "bindings[0]", "a binding from e must name a", ""),
        outbox("bindings: [{}]", "bindings[0]", "a binding from null must name a queue", ""),
        outbox("bindings: {a: 1}", "bindings", "must be a list", ""),
        outbox("bindings: a", "bindings", "must be a list of sections", "a"),
        route("{target: a, format: xml}", "format", "one of raw, generic", "xml"),
        route("{target: a, timestamp: now}", "timestamp", "one of sent, created", "now"),
        route("{}", "target", "must be given", ""),
        arguments(
            Configs.MINIMAL.replace("target: orders", "target: 'x{nope}'"),
            OUTBOX + "routes.default",
            "is wrong: \"x{nope}\" names no field",
            ""));
  }

  static Stream<Arguments> names() {
    return Stream.of(
        top("relay: 8080", "relay", "must be a section with its own keys", "8080"),
        top("relay: [a]", "relay", "must be a section with its own keys", ""),
        top("rely: {name: x}", "rely", "did you mean 'relay'?", ""),
        top("rely: {}", "rely", "did you mean 'relay'?", ""),
        top("relay: {nam: x}", "relay.nam", "did you mean 'name'?", ""),
        top("relay: {zzz: x}", "relay.zzz", "known here: enabled, name, grace-period", ""),
        outbox("on_publish: keep", "on_publish", "did you mean 'on-published'?", ""),
        outbox("rutes: {default: {target: x}}", "rutes", "did you mean 'routes'?", ""),
        outbox(
            "on-published: keep\nonPublished: keep",
            "onPublished",
            "is there twice, as waybill.outboxes.orders.on-published and waybill",
            ""),
        outbox("limits: {lease: 20s}\nlimits: {lease: 20s}", "limits", "is there twice", ""),
        arguments(
            Configs.MINIMAL.replace("orders:\n      d", "Orders!:\n      d"),
            "waybill.outboxes",
            "names that match [a-z]",
            "Orders!"),
        arguments("waybill: {outboxes: {}}", "waybill.outboxes", "at least one outbox", ""));
  }

  static Stream<Arguments> others() {
    return Stream.of(
        file("sever: {port: 1}", "sever", "did you mean 'server'?", ""),
        file("outboxes: {orders: {}}", "outboxes", "known here: logging, management", ""),
        file("server: {prot: 1}", "server.prot", "did you mean 'port'?", ""),
        file("server: {port: 80x}", "server.port", "from 0 to 65535", "80x"),
        file("server: {port: 65536}", "server.port", "from 0 to 65535", "65536"),
        file("server: {port: }", "server.port", "has no value", ""),
        file("server: {port: [80]}", "server.port", "must be one value", ""),
        file("server: 8080", "server", "must be a section", "8080"),
        file(
            "management: {endpoint: {health: {probes: {enabled: maybe}}}}",
            "management.endpoint.health.probes.enabled",
            "true or false",
            "maybe"),
        file(
            "management: {endpoint: {health: {show-details: some}}}",
            "management.endpoint.health.show-details",
            "one of never, when-authorized, always",
            "some"),
        file(
            "management: {endpoint: {health: {group: {live: {inclde: a}}}}}",
            "management.endpoint.health.group.live.inclde",
            "did you mean 'include'?",
            ""),
        file(
            "spring: {ssl: {bundle: {pem: {a: {keystore: {certifcate: x}}}}}}",
            "spring.ssl.bundle.pem.a.keystore.certifcate",
            "did you mean 'certificate'?",
            ""),
        file("logging: {level: {root: loud}}", "logging.level.root", "one of trace", "loud"),
        file(
            "logging: {structured: {format: {console: xml}}}",
            "logging.structured.format.console",
            "one of ecs, gelf, logstash",
            "xml"),
        file("logging: {levl: {root: info}}", "logging.levl", "did you mean 'level'?", ""),
        file(
            "spring: {lifecycle: {timeout-per-shutdown-phase: soon}}",
            "spring.lifecycle.timeout-per-shutdown-phase",
            "a time",
            "soon"),
        file(
            "spring: {application: {name: '${NONE}'}}",
            "spring.application.name",
            "refers to ${NONE}, which is not set",
            ""),
        file(
            "server: {ssl: {key-store-password: canary}}",
            "server.ssl.key-store-password",
            "is a secret",
            "***"));
  }

  static Stream<Arguments> files() {
    return Stream.of(
        arguments("[1, 2]", "", "must be a mapping", ""),
        arguments("waybill", "", "must be a mapping", ""),
        arguments("a: b: c", "", "is not YAML: mapping values are not allowed here", ""),
        arguments("a: [1", "", "is not YAML", ""),
        arguments("a: \u0001", "", "is not YAML", ""),
        arguments("a: 1\n---\nb: 2", "", "must be one document", ""),
        arguments("a: &a [*a]", "a" + "[0]".repeat(30), "nested too deeply", ""),
        arguments(aliasBomb(), "", "at most 20000 values", ""),
        file("x: !!java.net.URL [a]", "x", "must not carry a tag", ""),
        file("? [a, b]\n: c", "", "has a key that is not a text", ""),
        file("waybill: {}", "waybill", "is there twice", ""),
        file(
            "spring: {config: {import: 'configtree:/nowhere/'}}",
            "spring.config.import",
            "names configtree:/nowhere/, which does not exist",
            ""),
        file(
            "spring: {config: {import: nowhere.yaml}}",
            "spring.config.import",
            "names nowhere.yaml, which does not exist: put optional:",
            ""));
  }

  static Stream<Arguments> databases() {
    return Stream.of(
        database("password: canary", "password", "is a secret, which must not", "***"),
        database("password: ''", "password", "is a secret, which must not", "***"),
        database("password: '${NOT_SET}'", "password", "${NOT_SET}, which is not set", ""),
        database("password: '${NOT_SET:canary}'", "password", "is a secret", "***"),
        database("password: '${UNCLOSED'", "password", "closing brace", ""),
        database("username: '${a b}'", "username", "${a b}, which is not set", ""),
        database("url: [a]", "url", "must be one value", ""),
        database("propertys: {a: b}", "propertys", "did you mean 'properties'?", ""),
        database(
            "properties: {loggerFile: /tmp/x}",
            "properties",
            "must not contain 'loggerFile'; allowed are ApplicationName, sslmode",
            ""));
  }

  static Stream<Arguments> brokers() {
    return Stream.of(
        broker("bootstrap-servers: [a]", "bootstrap-servers", "host:port", "a"),
        broker("bootstrap-servers: {a: b}", "bootstrap-servers", "must be a list", ""),
        broker(
            "bootstrap-servers: ['h:1'], properties: {enable.idempotence: false}",
            "properties",
            "must not contain 'enable.idempotence'; allowed are compression.type, linger.ms",
            ""),
        broker(
            "bootstrap-servers: ['h:1'], delivery-timeout: 1",
            "delivery-timeout",
            "with a unit",
            "1"),
        broker(
            "bootstrap-servers: ['h:1'], create-topics: {partitions: many}",
            "create-topics.partitions",
            "whole number",
            "many"),
        outbox("rabbitmq: {addresses: [a:1]}", "kafka", "must not stand beside rabbitmq", ""));
  }

  private static String aliasBomb() {
    StringBuilder yaml = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 12; i++) {
      String item = "*a" + (i - 1);
      yaml.append("a" + i + ": &a" + i + " [" + (item + ", ").repeat(9) + item + "]\n");
    }
    return yaml.toString();
  }

  private static Arguments top(String line, String key, String rule, String value) {
    String yaml = Configs.MINIMAL + "  " + line + "\n";
    return arguments(yaml, "waybill." + key, rule, value);
  }

  private static Arguments file(String line, String key, String rule, String value) {
    return arguments(Configs.MINIMAL + line + "\n", key, rule, value);
  }

  private static Arguments outbox(String lines, String key, String rule, String value) {
    return arguments(Configs.outboxWith(lines), OUTBOX + key, rule, value);
  }

  private static Arguments limit(String line, String key, String rule, String value) {
    return outbox("limits: {" + line + "}", "limits." + key, rule, value);
  }

  private static Arguments route(String route, String key, String rule, String value) {
    String yaml =
        Configs.MINIMAL.replace("default:\n          target: orders", "default: " + route);
    return arguments(yaml, OUTBOX + "routes.default." + key, rule, value);
  }

  private static Arguments database(String keys, String key, String rule, String value) {
    String url = keys.startsWith("url:") ? "" : "url: 'jdbc:postgresql://localhost/d', ";
    String yaml =
        Configs.MINIMAL.replace(
            "database:\n        url: jdbc:postgresql://localhost:5432/shop",
            "database: {" + url + keys + "}");
    return arguments(yaml, OUTBOX + "database." + key, rule, value);
  }

  private static Arguments broker(String keys, String key, String rule, String value) {
    String yaml =
        Configs.MINIMAL.replace(
            "kafka:\n        bootstrap-servers: [localhost:9092]", "kafka: {" + keys + "}");
    return arguments(yaml, OUTBOX + "kafka." + key, rule, value);
  }
}
