package io.waybill.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every bad value is refused with its path, the rule and the value. */
class BadConfigTest {
  private static final String OUTBOX = "outboxes.orders.";

  @ParameterizedTest(name = "{0}")
  @MethodSource({"values", "sections", "layouts", "databases", "kafka", "rabbit"})
  void isRefused(String yaml, String path, String rule, String value) {
    List<Problem> problems = Configs.problems(yaml, Map.of());

    assertThat(problems)
        .anySatisfy(
            problem -> {
              assertThat(problem.path()).isEqualTo(path);
              assertThat(problem.rule()).contains(rule);
              assertThat(problem.value()).contains(value);
            });
  }

  static Stream<Arguments> values() {
    return Stream.of(
        top("http: {port: -1}", "http.port", "from 0 to 65535", "-1"),
        top("http: {port: 65536}", "http.port", "from 0 to 65535", "65536"),
        top("http: {port: 99999999999999999999}", "http.port", "whole number", "9999999999"),
        top("http: {port: 80.5}", "http.port", "whole number", "80.5"),
        top("http: {port: 0x50}", "http.port", "whole number", "0x50"),
        top("http: {port: }", "http.port", "has no value", ""),
        top("http: {port: [80]}", "http.port", "must be one value", ""),
        top("http: {enabled: yes}", "http.enabled", "true or false", "yes"),
        top("http: {host: \"a\\nb\"}", "http.host", "host name or an address", "a\\u000ab"),
        top("logging: {format: xml}", "logging.format", "one of text, json", "xml"),
        top("logging: {level: loud}", "logging.level", "one of trace, debug", "loud"),
        top("tracing: {endpoint: collector}", "tracing.endpoint", "http or https URL", "collector"),
        top("tracing: {endpoint: 'http://['}", "tracing.endpoint", "http or https URL", "http://["),
        top("tracing: {endpoint: 'http://[:::]'}", "tracing.endpoint", "http or https URL", ":::"),
        top("tracing: {endpoint: 'http://a:b'}", "tracing.endpoint", "http or https URL", "a:b"),
        top("tracing: {endpoint: 'http://a:65536'}", "tracing.endpoint", "https URL", "65536"),
        top("tracing: {endpoint: 'http://a/%zz'}", "tracing.endpoint", "https URL", "%zz"),
        top("relay: {name: \"a b\"}", "relay.name", "must match", "a b"),
        top("relay: {grace-period: 20}", "relay.grace-period", "with a unit", "20"),
        top("relay: {grace-period: 20 s}", "relay.grace-period", "with a unit", "20 s"),
        top("relay: {grace-period: 20sec}", "relay.grace-period", "with a unit", "20sec"),
        top("relay: {grace-period: -5s}", "relay.grace-period", "with a unit", "-5s"),
        top("relay: {grace-period: 1.5s}", "relay.grace-period", "with a unit", "1.5s"),
        top("relay: {grace-period: 11m}", "relay.grace-period", "from 0s to 600s", "11m"),
        limit("lease: 0s", "lease", "from 100ms to", "0s"),
        limit("lease: 999999999999999999d", "lease", "from 100ms to", "999999999999999999d"),
        limit("lease: 13s", "lease", "at least 14500ms (delivery-timeout", "13s"),
        limit("max-bytes: 32", "max-bytes", "with a unit", "32"),
        limit("max-bytes: 32MB", "max-bytes", "with a unit", "32MB"),
        limit("max-event-bytes: 1KiB", "max-event-bytes", "from 64KiB to", "1KiB"),
        limit("max-bytes: 1KiB", "max-bytes", "from 1MiB to", "1KiB"),
        limit("max-rows: 0", "max-rows", "from 1 to", "0"),
        limit("max-in-flight: 30000", "max-in-flight", "at most max-rows 8000", "30000"),
        limit("settle-batch: 5001", "settle-batch", "from 1 to 5000", "5001"));
  }

  static Stream<Arguments> sections() {
    return Stream.of(
        top("htp: {port: 1}", "htp", "did you mean 'http'?", ""),
        top("http: {prot: 1}", "http.prot", "did you mean 'port'?", ""),
        top("http: 8080", "http", "must be a section", "8080"),
        top("outboxes: {}", "outboxes", "is there twice", ""),
        arguments("outboxes: {}", "outboxes", "at least one outbox", ""),
        arguments("[1, 2]", "", "must be a mapping", ""),
        arguments("a: b: c", "", "is not YAML", ""),
        arguments("a: 1\n---\nb: 2", "", "must be one document", ""),
        arguments(aliasBomb(), "", "", ""),
        arguments("a: &a [*a]", "a" + "[0]".repeat(30), "nested too deeply", ""),
        top("http: !!java.net.URL [a]", "http", "must not carry a tag", ""),
        outbox("on_published: keep", "on_published", "did you mean 'on-published'?", ""),
        outbox("retention: 1d", "retention", "needs on-published: keep", "1d"),
        outbox("schema: 'a\"; drop table x'", "schema", "must match", "drop table"),
        outbox("schema: \"\"", "schema", "must match", ""),
        outbox("schema: " + "x".repeat(64), "schema", "must match", "x".repeat(64)),
        outbox("rabbitmq: {addresses: [a:1]}", "kafka", "must not stand beside rabbitmq", ""),
        outbox("failure: {policy: drop}", "failure.policy", "one of park, bury", "drop"),
        outbox(
            "failure: {dead-letter: {target: x}}", "failure.dead-letter", "needs policy: bury", ""),
        outbox(
            "failure: {policy: bury, dead-letter: {}}",
            "failure.dead-letter.target",
            "must be given",
            ""),
        outbox("retry: {attempts: 0}", "retry.attempts", "from 1 to", "0"),
        outbox("retry: {first-delay: 10m}", "retry.first-delay", "at most longest-delay", "600s"),
        route("{target: ''}", "target", "must not be empty", ""),
        route("{}", "target", "must be given", ""),
        route("{target: a, routing-key: b}", "routing-key", "is for RabbitMQ", "b"),
        route("{target: a, format: xml}", "format", "one of raw, generic", "xml"),
        route("{target: a, timestamp: now}", "timestamp", "one of sent, created", "now"),
        route("{target: 'x{nope}'}", "target", "is not a route", "x{nope}"),
        route("{target: x, partition: '{'}", "partition", "is not a route", "{"),
        route("{target: x, headers: {x-death: y}}", "headers.x-death", "is not a route", "y"),
        arguments(
            Configs.MINIMAL.replace("target: orders", "target: orders\n        format: envelope"),
            OUTBOX + "routes.source",
            "source must be given for the formats envelope",
            ""),
        arguments(
            Configs.MINIMAL.replace("orders:\n", "Orders!:\n"),
            "outboxes",
            "names that",
            "Orders!"),
        arguments(
            Configs.MINIMAL.replace("    routes:", "    rutes:"), OUTBOX + "routes", "given", ""));
  }

  static Stream<Arguments> layouts() {
    return Stream.of(
        outbox("layout: oracle", "layout", "one of waybill, notification, event-outbox", "oracle"),
        outbox("layout: wallet\non-published: keep", "on-published", "is for layout waybill", ""),
        outbox(
            "layout: wallet\nretention: 1d",
            "retention",
            "no column for the time of publishing",
            "1d"),
        outbox("layout: debezium\nretention: 1d", "retention", "deletes published rows", "1d"),
        outbox("layout: wallet\ntable: 'a b'", "table", "must match", "a b"),
        outbox("table: mine", "table", "must be waybill_outbox for layout waybill", "mine"),
        outbox("layout: wallet\nlisten: true", "listen", "own table on PostgreSQL", "true"),
        outbox("layout: wallet\norder: {column: x}", "order", "is for layout debezium", ""),
        outbox("layout: debezium\norder: {}", "order.column", "must be given", ""),
        outbox("layout: debezium\norder: {column: 'x y'}", "order.column", "must match", "x y"),
        outbox(
            "layout: wallet\ntables-beside: {prefix: '1x'}",
            "tables-beside.prefix",
            "must be a name of at most 36",
            "1x"),
        outbox(
            "layout: wallet\ntable: " + "x".repeat(40),
            "tables-beside.prefix",
            "must be given",
            "waybill_xxx"),
        outbox("layout: {state: {type: presence}}", "table", "must be given", ""),
        custom("state: {type: presence}, kolumn: x", "layout.kolumn", "not a known key", ""),
        custom("event-type: type", "layout.state", "must be given", ""),
        custom("state: {type: flag}", "layout.state.type", "one of presence, boolean", "flag"),
        custom("state: {type: boolean}", "layout.state.column", "must be given", ""),
        custom(
            "state: {type: string, column: s, pending: a, published: A, dead: c}",
            "layout.state.published",
            "must differ from the word of pending rows",
            "A"),
        custom(
            "state: {type: boolean, column: sent}, published-at: sent",
            "layout.published-at",
            "must not be the column of state",
            "sent"),
        custom(
            "state: {type: presence}, row-id: {column: 'a;b'}",
            "layout.row-id.column",
            "must match",
            "a;b"),
        custom(
            "state: {type: presence}, row-id: {type: decimal}",
            "layout.row-id.type",
            "one of long, string, uuid",
            "decimal"),
        custom(
            "state: {type: presence}, key: {id: a, type: b, aggregate-type: c}",
            "layout.key.type",
            "but not both",
            "b"),
        custom("state: {type: presence}, key: {type: b}", "layout.key.id", "must be given", ""),
        outbox("layout: wallet\nrecord: true", "record", "is for layout notification", "true"),
        outbox("time-range: {from: x}", "time-range", "is for adopted tables", ""),
        outbox(
            "layout: wallet\ntime-range: {from: 2026-01-01}",
            "time-range.from",
            "must be a time in UTC",
            "2026-01-01"),
        outbox(
            "layout: wallet\ntime-range: {from: 2026-01-02T00:00:00Z, until: 2026-01-01T00:00:00Z}",
            "time-range.from",
            "must be before until",
            "2026-01-02"),
        outbox("poll: {mode: often}", "poll.mode", "one of adaptive, fixed-delay", "often"),
        outbox("poll: {interval: 1000}", "poll.interval", "with a unit", "1000"),
        outbox("poll: {interval: 0s}", "poll.interval", "from 1ms", "0s"),
        outbox("poll: {min: 60ms}", "poll.min", "at most max 50ms", "60ms"),
        outbox("poll: {interval: 1s, min: 1ms}", "poll.min", "needs mode: adaptive", "1ms"),
        outbox("poll: {mode: adaptive, interval: 1s}", "poll.interval", "needs mode: fixed", "1s"),
        outbox("poll: {batch: 30000}", "poll.batch", "at most limits.max-rows 8000", "30000"),
        outbox("poll: {initial-delay: 2}", "poll.initial-delay", "with a unit", "2"),
        outbox("retry: {policy: linear}", "retry.policy", "one of backoff, constant", "linear"),
        outbox("retry: {delay: 1s}", "retry.delay", "needs policy: constant", "1s"),
        outbox(
            "retry: {policy: constant, factor: 2}", "retry.factor", "needs policy: backoff", "2"));
  }

  private static Arguments custom(String keys, String path, String rule, String value) {
    return outbox("table: mine\nlayout: {" + keys + "}", path, rule, value);
  }

  static Stream<Arguments> databases() {
    return Stream.of(
        database("url: jdbc:oracle:thin:@x", "url", "must be jdbc:postgresql://", "oracle"),
        database("url: jdbc:mysql://localhost", "url", "jdbc:mysql://", "mysql"),
        database("url: jdbc:mariadb://h:0/d", "url", "host or host:port", "h:0"),
        database("url: jdbc:postgresql:shop", "url", "must be jdbc:postgresql://", "shop"),
        database("url: jdbc:postgresql://u:canary@h/d", "url", "keys of their own", "***@h"),
        database("url: jdbc:postgresql://h/d?password=canary", "url", "'password'", "***"),
        database("url: jdbc:postgresql://h:99999/d", "url", "host or host:port", "h:99999"),
        denied("socketFactory"),
        denied("socketFactoryArg"),
        denied("sslfactory"),
        denied("sslfactoryarg"),
        denied("sslhostnameverifier"),
        denied("sslpasswordcallback"),
        denied("authenticationPluginClassName"),
        denied("autoDeserialize"),
        denied("allowLoadLocalInfile"),
        denied("allowUrlInLocalInfile"),
        denied("queryInterceptors"),
        denied("loggerFile"),
        denied("loggerLevel"),
        denied("options"),
        denied("service"),
        database(
            "url: jdbc:mysql://h/d?allowPublicKeyRetrieval=true",
            "url",
            "serverRsaPublicKeyFile",
            ""),
        arguments(
            database("properties: {loggerFile: /tmp/x}"),
            OUTBOX + "database.properties",
            "'loggerFile'",
            ""),
        database("user: u, password: canary", "password", "is a secret: write ${NAME}", "***"),
        database("user: u, password: ''", "password", "is a secret", "***"),
        database("password: '${NOT_SET}'", "password", "NOT_SET, which is not set", ""),
        database("password: '${file:relative}'", "password", "absolute path", ""),
        database("password: '${file:/nowhere}'", "password", "not there: /nowhere", ""),
        database("password: '${UNCLOSED'", "password", "closing brace", ""),
        database("password: '${a b}'", "password", "neither ${NAME} nor", ""),
        database("query-timeout: 0s", "query-timeout", "from 1s to", "0s"));
  }

  static Stream<Arguments> kafka() {
    return Stream.of(
        kafka("bootstrap-servers: []", "bootstrap-servers", "at least one", ""),
        kafka("bootstrap-servers: [a]", "bootstrap-servers", "host:port", "a"),
        kafka("bootstrap-servers: ['a:0']", "bootstrap-servers", "1 to 65535", "a:0"),
        kafka(
            "bootstrap-servers: ['h:1'], delivery-timeout: 1s",
            "delivery-timeout",
            "at least request-timeout 5s",
            "1s"),
        producer("enable.idempotence"),
        producer("acks"),
        producer("retries"),
        producer("sasl.jaas.config"),
        producer("key.serializer"),
        producer("interceptor.classes"),
        producer("security.protocol"),
        producer("transactional.id"),
        kafka(
            "bootstrap-servers: ['h:1'], create-topics: {partitions: 0}",
            "create-topics.partitions",
            "from 1",
            "0"),
        kafka("bootstrap-servers: ['h:1'], sasl: {user: u}", "sasl.password", "must be given", ""),
        kafka(
            "bootstrap-servers: ['h:1'], sasl: {mechanism: gssapi}",
            "sasl.mechanism",
            "one of plain",
            "gssapi"),
        kafka(
            "bootstrap-servers: ['h:1'], tls: {ca-file: /nowhere}",
            "tls.ca-file",
            "readable file",
            "/nowhere"),
        kafka(
            "bootstrap-servers: ['h:1'], tls: {key-store: /nowhere}",
            "tls.key-store-password",
            "belong together",
            ""));
  }

  static Stream<Arguments> rabbit() {
    return Stream.of(
        rabbit("addresses: []", "addresses", "at least one", ""),
        rabbit("addresses: ['h:1'], password: canary", "password", "is a secret", "***"),
        rabbit("addresses: ['h:1'], confirm-timeout: 10", "confirm-timeout", "unit", "10"),
        rabbit(
            "addresses: ['h:1'], topology: {exchanges: {e: {type: headers}}}",
            "topology.exchanges.e.type",
            "one of topic",
            "headers"),
        rabbit(
            "addresses: ['h:1'], topology: {queues: {q: {type: lazy}}}",
            "topology.queues.q.type",
            "one of quorum",
            "lazy"),
        rabbit(
            "addresses: ['h:1'], topology: {bindings: [{queue: q}]}",
            "topology.bindings[0].exchange",
            "must be given",
            ""),
        rabbit(
            "addresses: ['h:1'], topology: {bindings: {}}",
            "topology.bindings",
            "must be a list",
            ""));
  }

  @Test
  void refusesPlaceholdersThatReferToThemselves() {
    Map<String, String> environment = Map.of("A", "x${B}", "B", "${C}", "C", "${A}");

    assertThat(Configs.problems(database("user: '${A}'"), environment))
        .singleElement()
        .satisfies(
            problem -> {
              assertThat(problem.path()).isEqualTo(OUTBOX + "database.user");
              assertThat(problem.rule()).contains("variable A, which refers to itself");
            });
  }

  @Test
  void refusesASecretThatIsSetButEmpty() {
    assertThat(Configs.problems(database("password: '${EMPTY}'"), Map.of("EMPTY", "")))
        .singleElement()
        .satisfies(problem -> assertThat(problem.rule()).contains("must not be empty"));
  }

  @Test
  void namesTheVariableOfABadOverride() {
    assertThat(Configs.problems(Configs.MINIMAL, Map.of("WAYBILL_HTTP_PORT", "x")))
        .singleElement()
        .isEqualTo(
            new Problem(
                "http.port", "must be a whole number from 0 to 65535", "x", "WAYBILL_HTTP_PORT"));
  }

  @Test
  void keepsTheListOfErrorsBounded() {
    StringBuilder yaml = new StringBuilder();
    for (int i = 0; i < 10_000; i++) {
      yaml.append("key").append(i).append(": 1\n");
    }

    assertThat(Configs.problems(yaml.toString(), Map.of())).hasSizeBetween(1, 200);
  }

  private static String aliasBomb() {
    StringBuilder yaml = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 12; i++) {
      String item = "*a" + (i - 1);
      yaml.append("a" + i + ": &a" + i + " [" + (item + ", ").repeat(9) + item + "]\n");
    }
    return yaml.toString();
  }

  private static Arguments top(String line, String path, String rule, String value) {
    return arguments(Configs.MINIMAL + line + "\n", path, rule, value);
  }

  private static Arguments outbox(String line, String key, String rule, String value) {
    return arguments(Configs.outboxWith(line), OUTBOX + key, rule, value);
  }

  private static Arguments limit(String line, String key, String rule, String value) {
    return outbox("limits: {" + line + "}", "limits." + key, rule, value);
  }

  private static Arguments route(String route, String key, String rule, String value) {
    String yaml = Configs.MINIMAL.replace("default:\n        target: orders", "default: " + route);
    return arguments(yaml, OUTBOX + "routes.default." + key, rule, value);
  }

  private static Arguments denied(String property) {
    return database(
        "url: 'jdbc:postgresql://localhost/d?" + property + "=x'",
        "url",
        "must not contain the driver property '" + property + "'",
        "");
  }

  private static Arguments database(String keys, String key, String rule, String value) {
    return arguments(database(keys), OUTBOX + "database." + key, rule, value);
  }

  private static String database(String keys) {
    String url = keys.startsWith("url:") ? "" : "url: 'jdbc:postgresql://localhost/d', ";
    return Configs.MINIMAL.replace(
        "database:\n      url: jdbc:postgresql://localhost:5432/shop",
        "database: {" + url + keys + "}");
  }

  private static Arguments producer(String property) {
    return kafka(
        "bootstrap-servers: ['h:1'], properties: {" + property + ": x}",
        "properties",
        "must not contain '" + property + "'",
        "");
  }

  private static Arguments kafka(String keys, String key, String rule, String value) {
    return broker("kafka", keys, key, rule, value);
  }

  private static Arguments rabbit(String keys, String key, String rule, String value) {
    return broker("rabbitmq", keys, key, rule, value);
  }

  private static Arguments broker(
      String broker, String keys, String key, String rule, String value) {
    String yaml =
        Configs.MINIMAL.replace(
            "kafka:\n      bootstrap-servers: [localhost:9092]", broker + ": {" + keys + "}");
    return arguments(yaml, OUTBOX + broker + "." + key, rule, value);
  }
}
