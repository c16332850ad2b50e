package io.waybill.examples.first;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConnectionFactory;
import io.waybill.proof.oracle.KafkaMessage;
import io.waybill.proof.oracle.KafkaTail;
import io.waybill.proof.oracle.RabbitTail;
import io.waybill.proof.server.KafkaServer;
import io.waybill.proof.server.PostgresServer;
import io.waybill.proof.server.ProcessGuard;
import io.waybill.proof.server.RabbitServer;
import io.waybill.testkit.Patience;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** docs/spring-boot.md, followed by hand: its dependencies, its properties and its code. */
@Tag("server")
class FirstEventProjectTest {
  private static final Path DOCUMENT = Path.of("..", "..", "docs", "spring-boot.md");
  private static final Duration PATIENCE = Patience.of(Duration.ofSeconds(60));
  private static final String PLACED = "{\"id\":\"42\",\"cents\":1999}";

  private static String block(String before) throws IOException {
    Matcher matcher =
        Pattern.compile(before + "\\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(DOCUMENT));
    assertThat(matcher.find()).as(before).isTrue();
    return matcher.group(1);
  }

  @Test
  void theApplicationRunsOnStarterAndDriverAlone() throws IOException {
    assertThat(classPath().split(File.pathSeparator))
        .allSatisfy(
            each ->
                assertThat(each)
                    .doesNotContain(
                        "testkit",
                        "waybill-proof",
                        "junit",
                        "assertj",
                        "spring-kafka",
                        "spring-boot-test"));
    Matcher scopes =
        Pattern.compile("<dependency>(.*?)</dependency>", Pattern.DOTALL)
            .matcher(
                Files.readString(Path.of("pom.xml"))
                    .replaceAll("(?s)<dependencyManagement>.*?</dependencyManagement>", ""));
    assertThat(
            scopes
                .results()
                .map(match -> match.group(1))
                .filter(dependency -> !dependency.contains("<scope>test</scope>"))
                .map(
                    dependency ->
                        dependency.replaceAll("(?s).*<artifactId>(.*)</artifactId>.*", "$1")))
        .containsExactly("waybill-spring-boot-starter", "postgresql");
  }

  /** Besides the class itself, which every application of Spring Boot has from the start. */
  @Test
  void theFirstEventTakesNoMoreThanTenLines() throws IOException {
    List<String> shop =
        block("<!-- quote: Shop.java#shop -->\\n```java")
            .lines()
            .filter(line -> !line.isBlank())
            .toList();
    assertThat(shop).startsWith("@SpringBootApplication", "class Shop {").endsWith("}");
    assertThat(shop.subList(2, shop.size() - 1)).hasSizeBetween(5, 10);
  }

  private static String classPath() throws IOException {
    return Path.of("target/classes").toAbsolutePath()
        + File.pathSeparator
        + Files.readString(Path.of("target/classpath")).strip();
  }

  /** The application, a broker's starter and the driver. */
  private static String classPath(String broker) throws IOException {
    String starter =
        Files.readString(
            Path.of("..", "..", "waybill-" + broker + "-spring-boot-starter", "target/classpath"));
    String driver =
        Stream.of(classPath().split(File.pathSeparator))
            .filter(each -> Path.of(each).getFileName().toString().startsWith("postgresql-"))
            .collect(Collectors.joining(File.pathSeparator));
    return String.join(
        File.pathSeparator,
        Path.of("target/classes").toAbsolutePath().toString(),
        starter.strip(),
        driver);
  }

  @Test
  void theFirstEventIsOnKafka() throws Exception {
    placedOnKafka(classPath());
  }

  @Test
  @Tag("long")
  void theFirstEventIsOnKafkaByItsStarterAlone() throws Exception {
    String classPath = classPath("kafka");
    assertThat(classPath)
        .contains("kafka-clients")
        .doesNotContain("amqp-client", "waybill-rabbitmq");
    placedOnKafka(classPath);
  }

  private static void placedOnKafka(String classPath) throws Exception {
    try (PostgresServer postgres = PostgresServer.launch();
        KafkaServer kafka = KafkaServer.launch()) {
      String given = block("```properties");
      assertThat(given).contains("localhost:9092");
      run(
          classPath,
          postgres,
          given.replace("localhost:9092", kafka.bootstrapServers()),
          () -> {
            KafkaMessage message = first(kafka);
            assertThat(message.key()).isEqualTo("42");
            assertThat(message.value()).isEqualTo(PLACED);
            assertThat(message.headers()).containsEntry("waybill-event-type", "order.placed");
          });
    }
  }

  /** The second block of properties, in the place of what the document says. */
  @Test
  @Tag("long")
  void theFirstEventIsOnRabbitMqByItsStarterAlone() throws Exception {
    String classPath = classPath("rabbitmq");
    assertThat(classPath).contains("amqp-client").doesNotContain("kafka-clients", "waybill-kafka");
    try (PostgresServer postgres = PostgresServer.launch();
        RabbitServer rabbit = RabbitServer.launch()) {
      declare(rabbit);
      String instead = block("which is an exchange with a routing key there:\n\n```properties");
      assertThat(instead).contains("amqp://guest:guest@localhost:5672");
      String kept =
          block("```properties")
              .lines()
              .filter(line -> !line.contains("kafka") && !line.startsWith("waybill.routes"))
              .collect(Collectors.joining("\n", "", "\n"));
      run(
          classPath,
          postgres,
          kept + instead.replace("amqp://guest:guest@localhost:5672", rabbit.uri()),
          () -> {
            try (RabbitTail tail = new RabbitTail(rabbit.uri(), List.of("placed"))) {
              Awaitility.await("the event").atMost(PATIENCE).until(() -> tail.count() > 0);
              assertThat(tail.messages().get(0).body()).isEqualTo(PLACED);
            }
          });
    }
  }

  private static void declare(RabbitServer rabbit) throws Exception {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setUri(rabbit.uri());
    try (com.rabbitmq.client.Connection connection = factory.newConnection();
        Channel channel = connection.createChannel()) {
      channel.exchangeDeclare("orders", "topic", true);
      channel.queueDeclare("placed", true, false, false, null);
      channel.queueBind("placed", "orders", "order.placed");
    }
  }

  /** Starts the shop with its properties, and looks whether it still runs after the look. */
  private static void run(String classPath, PostgresServer postgres, String properties, Look look)
      throws Exception {
    createShop(postgres);
    assertThat(properties).contains("localhost:5432/shop", "username=shop");
    Path folder = Files.createTempDirectory("waybill-first-event-");
    Files.writeString(
        folder.resolve("application.properties"),
        properties.replace("localhost:5432", "127.0.0.1:" + postgres.port()));
    try (ProcessGuard guard = new ProcessGuard(folder)) {
      Process shop = start(guard, classPath);
      try {
        look.look();
      } catch (ConditionTimeoutException e) {
        throw new AssertionError(Files.readString(folder.resolve("shop.out")), e);
      }
      assertThat(shop.isAlive()).isTrue();
      shop.destroy();
      assertThat(shop.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  private interface Look {
    void look() throws Exception;
  }

  private static void createShop(PostgresServer postgres) throws SQLException {
    try (Connection connection = postgres.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("create role shop login");
      statement.execute("create database shop owner shop");
    }
  }

  private static Process start(ProcessGuard guard, String classPath) {
    return guard.run(
        "shop",
        Map.of("SHOP_DB_PASSWORD", "secret"),
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            classPath,
            FirstEvent.class.getName()));
  }

  private static KafkaMessage first(KafkaServer kafka) {
    try (Admin admin = kafka.admin()) {
      Awaitility.await("the topic")
          .atMost(PATIENCE)
          .until(() -> admin.listTopics().names().get().contains("order-events"));
    }
    try (KafkaTail tail = new KafkaTail(kafka.bootstrapServers(), List.of("order-events"))) {
      Awaitility.await("the event").atMost(PATIENCE).until(() -> tail.count() > 0);
      return tail.messages().get(0);
    }
  }
}
