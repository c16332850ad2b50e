package io.waybill.kafka;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which client properties may be set. Properties that name classes to load are not among them, nor
 * those on which the guarantees rest.
 */
final class ClientPropertyRules {
  private static final Set<String> COMMON =
      Set.of(
          "client.dns.lookup",
          "client.id",
          "client.rack",
          "connections.max.idle.ms",
          "metadata.max.age.ms",
          "metadata.recovery.rebootstrap.trigger.ms",
          "metadata.recovery.strategy",
          "receive.buffer.bytes",
          "reconnect.backoff.max.ms",
          "reconnect.backoff.ms",
          "retry.backoff.max.ms",
          "retry.backoff.ms",
          "sasl.jaas.config",
          "sasl.login.connect.timeout.ms",
          "sasl.login.read.timeout.ms",
          "sasl.login.refresh.buffer.seconds",
          "sasl.login.refresh.min.period.seconds",
          "sasl.login.refresh.window.factor",
          "sasl.login.refresh.window.jitter",
          "sasl.login.retry.backoff.max.ms",
          "sasl.login.retry.backoff.ms",
          "sasl.mechanism",
          "sasl.oauthbearer.client.credentials.client.id",
          "sasl.oauthbearer.client.credentials.client.secret",
          "sasl.oauthbearer.scope",
          "sasl.oauthbearer.token.endpoint.url",
          "security.protocol",
          "send.buffer.bytes",
          "socket.connection.setup.timeout.max.ms",
          "socket.connection.setup.timeout.ms",
          "ssl.cipher.suites",
          "ssl.enabled.protocols",
          "ssl.endpoint.identification.algorithm",
          "ssl.key.password",
          "ssl.keymanager.algorithm",
          "ssl.keystore.certificate.chain",
          "ssl.keystore.key",
          "ssl.keystore.location",
          "ssl.keystore.password",
          "ssl.keystore.type",
          "ssl.protocol",
          "ssl.trustmanager.algorithm",
          "ssl.truststore.certificates",
          "ssl.truststore.location",
          "ssl.truststore.password",
          "ssl.truststore.type");

  private static final Set<String> PRODUCER_ONLY =
      Set.of(
          "batch.size",
          "buffer.memory",
          "compression.gzip.level",
          "compression.lz4.level",
          "compression.type",
          "compression.zstd.level",
          "linger.ms",
          "max.request.size",
          "metadata.max.idle.ms");

  private static final Set<String> CONSUMER_ONLY =
      Set.of(
          "check.crcs",
          "fetch.max.bytes",
          "fetch.max.wait.ms",
          "fetch.min.bytes",
          "group.protocol",
          "group.remote.assignor",
          "heartbeat.interval.ms",
          "max.partition.fetch.bytes",
          "request.timeout.ms",
          "session.timeout.ms");

  private static final ClientPropertyRules PRODUCER =
      new ClientPropertyRules(
          PRODUCER_ONLY,
          Map.of(
              "acks",
              "all",
              "enable.idempotence",
              "true",
              "max.in.flight.requests.per.connection",
              ClientProperties.MAX_IN_FLIGHT,
              "retries",
              ClientProperties.RETRIES),
          Map.of(
              "bootstrap.servers", "bootstrapServers",
              "delivery.timeout.ms", "deliveryTimeout",
              "partitioner.class", "partitioner",
              "request.timeout.ms", "requestTimeout"));

  private static final ClientPropertyRules CONSUMER =
      new ClientPropertyRules(
          CONSUMER_ONLY,
          Map.of(
              "allow.auto.create.topics", "false",
              "enable.auto.commit", "false",
              "isolation.level", "read_committed"),
          Map.of(
              "auto.offset.reset", "start",
              "bootstrap.servers", "bootstrapServers",
              "group.id", "groupId",
              "max.poll.interval.ms", "revocationLimit",
              "max.poll.records", "window"));

  private static final Map<String, Set<String>> VALUES =
      Map.of(
          "group.protocol", Set.of("classic", "consumer"),
          "security.protocol", Set.of("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"),
          "sasl.mechanism", Set.of("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "OAUTHBEARER"),
          "compression.type", Set.of("none", "gzip", "snappy", "lz4", "zstd"));

  private final Set<String> own;
  private final Map<String, String> fixed;
  private final Map<String, String> elsewhere;

  /**
   * The rules of one kind of client.
   *
   * @param own what is allowed beside what all clients may have
   * @param fixed what Waybill sets; another value would lose or reorder events without a word
   * @param elsewhere settings that have a name of their own
   */
  private ClientPropertyRules(
      Set<String> own, Map<String, String> fixed, Map<String, String> elsewhere) {
    this.own = own;
    this.fixed = fixed;
    this.elsewhere = elsewhere;
  }

  static ClientPropertyRules producer() {
    return PRODUCER;
  }

  static ClientPropertyRules consumer() {
    return CONSUMER;
  }

  Set<String> names() {
    Set<String> names = new TreeSet<>(COMMON);
    names.addAll(own);
    return Collections.unmodifiableSet(names);
  }

  boolean takes(String property) {
    return COMMON.contains(property) || own.contains(property);
  }

  /** The errors, one sentence each: property, rule, value. */
  List<String> check(Map<String, String> properties) {
    List<String> errors = new ArrayList<>();
    new TreeMap<>(properties).forEach((name, value) -> checkOne(name, value, errors));
    return errors;
  }

  private void checkOne(String name, String value, List<String> errors) {
    String only = fixed.get(name);
    if (only != null) {
      if (!only.equals(value) && !("acks".equals(name) && "-1".equals(value))) {
        errors.add(name + ": must be " + only + ", or events could be lost or reordered: " + value);
      }
    } else if (elsewhere.containsKey(name)) {
      errors.add(name + ": is set by " + elsewhere.get(name) + ", not as a property");
    } else if (!COMMON.contains(name) && !own.contains(name)) {
      errors.add(name + ": is not among the allowed client properties");
    } else {
      checkValue(name, value, errors);
    }
  }

  private static void checkValue(String name, String value, List<String> errors) {
    Set<String> values = VALUES.get(name);
    if (values != null && !values.contains(value)) {
      errors.add(name + ": must be one of " + values.stream().sorted().toList() + ": " + value);
    }
    if ("ssl.endpoint.identification.algorithm".equals(name) && !"https".equals(value)) {
      errors.add(name + ": must be https, or any host with a valid certificate would do: " + value);
    }
    if ("sasl.jaas.config".equals(name)) {
      errors.addAll(LoginModules.check(value));
    }
  }
}
