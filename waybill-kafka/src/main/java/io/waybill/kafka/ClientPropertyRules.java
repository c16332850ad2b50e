package io.waybill.kafka;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which client properties may be set. Properties that name classes to load are not among them, nor
 * those on which the guarantees rest.
 */
final class ClientPropertyRules {
  private static final Set<String> ALLOWED =
      Set.of(
          "batch.size",
          "buffer.memory",
          "client.dns.lookup",
          "client.id",
          "client.rack",
          "compression.gzip.level",
          "compression.lz4.level",
          "compression.type",
          "compression.zstd.level",
          "connections.max.idle.ms",
          "linger.ms",
          "max.request.size",
          "metadata.max.age.ms",
          "metadata.max.idle.ms",
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

  /** Properties that Waybill sets; another value would lose or reorder events without a word. */
  private static final Map<String, String> FIXED =
      Map.of(
          "acks",
          "all",
          "enable.idempotence",
          "true",
          "max.in.flight.requests.per.connection",
          ClientProperties.MAX_IN_FLIGHT,
          "retries",
          ClientProperties.RETRIES);

  private static final Map<String, String> ELSEWHERE =
      Map.of(
          "bootstrap.servers", "bootstrapServers",
          "delivery.timeout.ms", "deliveryTimeout",
          "request.timeout.ms", "requestTimeout");

  private static final Map<String, Set<String>> VALUES =
      Map.of(
          "security.protocol", Set.of("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"),
          "sasl.mechanism", Set.of("PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "OAUTHBEARER"),
          "compression.type", Set.of("none", "gzip", "snappy", "lz4", "zstd"));

  private ClientPropertyRules() {}

  /** The errors, one sentence each: property, rule, value. */
  static List<String> check(Map<String, String> properties) {
    List<String> errors = new ArrayList<>();
    new TreeMap<>(properties).forEach((name, value) -> checkOne(name, value, errors));
    return errors;
  }

  private static void checkOne(String name, String value, List<String> errors) {
    String fixed = FIXED.get(name);
    if (fixed != null) {
      if (!fixed.equals(value) && !("acks".equals(name) && "-1".equals(value))) {
        errors.add(
            name + ": must be " + fixed + ", or events could be lost or reordered: " + value);
      }
    } else if (ELSEWHERE.containsKey(name)) {
      errors.add(name + ": is set by " + ELSEWHERE.get(name) + ", not as a property");
    } else if (!ALLOWED.contains(name)) {
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
