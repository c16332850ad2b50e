package io.waybill.server.config;

import io.waybill.kafka.StandardPartitioner;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads and checks the section {@code kafka}. */
final class KafkaReader {
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
          "receive.buffer.bytes",
          "reconnect.backoff.max.ms",
          "reconnect.backoff.ms",
          "send.buffer.bytes",
          "socket.connection.setup.timeout.max.ms",
          "socket.connection.setup.timeout.ms");

  private static final Set<String> FIXED =
      Set.of(
          "acks",
          "enable.idempotence",
          "max.in.flight.requests.per.connection",
          "retries",
          "transactional.id");

  private static final Pattern ANY = Pattern.compile("(?s).+");

  private KafkaReader() {}

  static KafkaConfig read(Section section) {
    List<String> servers = Addresses.read(section, "bootstrap-servers");
    Duration request = timeout(section, "request-timeout", Duration.ofSeconds(5));
    Duration delivery = timeout(section, "delivery-timeout", Duration.ofSeconds(10));
    if (delivery.compareTo(request) < 0) {
      section.problem(
          "delivery-timeout",
          "must be at least request-timeout " + Units.print(request),
          Units.print(delivery));
    }
    TlsConfig tls = TlsConfig.read(section);
    KafkaConfig config =
        new KafkaConfig(
            servers,
            request,
            delivery,
            createTopics(section),
            section.choice(
                "partitioner", StandardPartitioner.class, StandardPartitioner.MURMUR2_RANDOM),
            tls,
            sasl(section, tls != null),
            properties(section));
    Addresses.warnAboutPlaintext(section, "bootstrap-servers", servers, tls != null);
    section.done();
    return config;
  }

  private static Duration timeout(Section section, String key, Duration fallback) {
    return section.duration(key, fallback, Duration.ofMillis(100), Duration.ofMinutes(10));
  }

  private static KafkaConfig.@Nullable CreateTopics createTopics(Section parent) {
    if (!parent.has("create-topics")) {
      return null;
    }
    Section section = parent.section("create-topics");
    KafkaConfig.CreateTopics create =
        new KafkaConfig.CreateTopics(
            section.number("partitions", 12, 1, 10_000),
            section.number("replication-factor", 3, 1, 100));
    section.done();
    return create;
  }

  private static KafkaConfig.@Nullable Sasl sasl(Section parent, boolean tls) {
    if (!parent.has("sasl")) {
      return null;
    }
    Section section = parent.section("sasl");
    KafkaConfig.Mechanism mechanism =
        section.choice(
            "mechanism", KafkaConfig.Mechanism.class, KafkaConfig.Mechanism.SCRAM_SHA_512);
    String user = section.required("user", ANY, "must not be empty");
    if (!section.has("password")) {
      section.problem("password", "must be given");
    }
    Secret password = section.secret("password");
    if (mechanism == KafkaConfig.Mechanism.PLAIN && !tls) {
      section.warn(section.path() + " sends its password in clear text: add a tls section");
    }
    section.done();
    return new KafkaConfig.Sasl(mechanism, user, password == null ? new Secret("") : password);
  }

  private static Map<String, String> properties(Section section) {
    Map<String, String> allowed = new HashMap<>();
    section
        .texts("properties")
        .forEach(
            (name, value) -> {
              if (ALLOWED.contains(name)) {
                allowed.put(name, value);
              } else {
                refuse(section, name);
              }
            });
    return allowed;
  }

  private static void refuse(Section section, String name) {
    String why =
        FIXED.contains(name)
            ? " is fixed: order and safety rest on it"
            : "' is not an allowed producer property; allowed are "
                + String.join(", ", ALLOWED.stream().sorted().toList());
    section.problem(
        "properties",
        "must not contain '" + Printable.of(name) + (FIXED.contains(name) ? "', which" : "") + why,
        "");
  }
}
