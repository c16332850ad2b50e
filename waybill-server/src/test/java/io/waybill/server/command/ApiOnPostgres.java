package io.waybill.server.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.proof.server.KafkaServer;
import io.waybill.server.terminal.ExitCode;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * An API without a relay, on a real PostgreSQL and a real Kafka that has a dead letter of event e1,
 * with users of every role. Its broker, too, is that of all such classes in this process.
 */
abstract class ApiOnPostgres extends CommandsOnPostgres {
  private static final Set<String> TOPICS = Set.of("orders", "orders.dlt");
  private static final KafkaServer KAFKA = kafka();

  @TempDir private Path home;
  Path users = Path.of("unset");
  ApiServer api;
  ApiDescription description;

  /** A folder without a configuration. */
  Path home() {
    return home;
  }

  private static KafkaServer kafka() {
    KafkaServer kafka = KafkaServer.launch();
    TOPICS.forEach(topic -> kafka.createTopic(topic, 1, Map.of()));
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new StringSerializer(),
            new StringSerializer())) {
      String original = "{\"eventId\":\"e1\",\"eventType\":\"placed\",\"colour\":\"p4yl0ad\"}";
      String letter = "{\"eventId\":\"e1\",\"originalEvent\":%s}".formatted(original);
      assertThat(producer.send(new ProducerRecord<>("orders.dlt", letter)))
          .succeedsWithin(Duration.ofSeconds(30));
    }
    return kafka;
  }

  @BeforeAll
  static void removeTopicsOfOtherClasses() throws Exception {
    try (Admin admin = KAFKA.admin()) {
      Set<String> others = new HashSet<>(admin.listTopics().names().get());
      others.removeAll(TOPICS);
      admin.deleteTopics(others).all().get();
    }
  }

  @Override
  String yaml(String user) {
    return super.yaml(user).replace("127.0.0.1:9", KAFKA.bootstrapServers());
  }

  @BeforeEach
  void start() throws Exception {
    assertThat(run("schema", "apply", "--inbox").code()).isEqualTo(ExitCode.OK);
    sql("insert into waybill_inbox_lane values ('billing', 'orders-0', 's', 0)");
    users = home.resolve("users");
    Files.write(
        users,
        List.of(
            "# the users of a test",
            user("viewer", "viewer"),
            user("operator", "operator"),
            user("administrator", "administrator"),
            user("here", "viewer@orders"),
            user("elsewhere", "administrator@bills")));
    api = ApiServer.start(config(), users);
    description = new ApiDescription(ApiServer.json(api.get("viewer", "/openapi.json")));
  }

  @AfterEach
  void stop() {
    api.close();
  }

  static String user(String name, String roles) throws Exception {
    byte[] hash =
        MessageDigest.getInstance("SHA-256").digest(ApiServer.password(name).getBytes(UTF_8));
    return name + ":" + roles + ":{sha256}" + HexFormat.of().formatHex(hash);
  }

  static String encoded(@Nullable String text) {
    return URLEncoder.encode(String.valueOf(text), UTF_8);
  }
}
