package io.waybill.examples.first;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.testkit.KafkaMessage;
import io.waybill.testkit.KafkaServer;
import io.waybill.testkit.KafkaTail;
import io.waybill.testkit.PostgresServer;
import io.waybill.testkit.ProcessGuard;
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
import org.apache.kafka.clients.admin.Admin;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** docs/spring-boot.md, followed by hand: its dependencies, its properties and its code. */
@Tag("server")
class FirstEventProjectTest {
  private static final Path DOCUMENT = Path.of("..", "..", "docs", "spring-boot.md");
  private static final Path SHOP = Path.of("src/main/java/io/waybill/examples/first/Shop.java");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static String block(String before) throws IOException {
    Matcher matcher =
        Pattern.compile(before + "\\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(DOCUMENT));
    assertThat(matcher.find()).as(before).isTrue();
    return matcher.group(1);
  }

  @Test
  void theCodeIsTheDocuments() throws IOException {
    assertThat(Files.readString(SHOP)).contains(block("<!-- quote: Shop.java#shop -->\n```java"));
  }

  @Test
  void theApplicationRunsOnStarterAndDriverAlone() throws IOException {
    assertThat(classPath().split(File.pathSeparator))
        .allSatisfy(
            each ->
                assertThat(each)
                    .doesNotContain(
                        "testkit", "junit", "assertj", "spring-kafka", "spring-boot-test"));
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

  private static String classPath() throws IOException {
    return Path.of("target/classes").toAbsolutePath()
        + File.pathSeparator
        + Files.readString(Path.of("target/classpath")).strip();
  }

  @Test
  void theFirstEventIsOnKafka() throws Exception {
    try (PostgresServer postgres = PostgresServer.launch();
        KafkaServer kafka = KafkaServer.launch()) {
      createShop(postgres);
      Path folder = Files.createTempDirectory("waybill-first-event-");
      Files.writeString(folder.resolve("application.properties"), properties(postgres, kafka));
      try (ProcessGuard guard = new ProcessGuard(folder)) {
        Process shop = start(guard);
        KafkaMessage message = first(kafka, folder.resolve("shop.out"));

        assertThat(message.key()).isEqualTo("42");
        assertThat(message.value()).isEqualTo("{\"id\":\"42\",\"cents\":1999}");
        assertThat(message.headers()).containsEntry("waybill-event-type", "order.placed");
        assertThat(shop.isAlive()).isTrue();
        shop.destroy();
        assertThat(shop.waitFor(30, TimeUnit.SECONDS)).isTrue();
      }
    }
  }

  private static void createShop(PostgresServer postgres) throws SQLException {
    try (Connection connection = postgres.dataSource().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("create role shop login");
      statement.execute("create database shop owner shop");
    }
  }

  /** Those of the document, with the addresses of this test's servers. */
  private static String properties(PostgresServer postgres, KafkaServer kafka) throws IOException {
    String given = block("```properties");
    assertThat(given).contains("localhost:5432/shop", "localhost:9092", "username=shop");
    return given
        .replace("localhost:5432", "127.0.0.1:" + postgres.port())
        .replace("localhost:9092", kafka.bootstrapServers());
  }

  private static Process start(ProcessGuard guard) throws IOException {
    return guard.run(
        "shop",
        Map.of("SHOP_DB_PASSWORD", "secret"),
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            classPath(),
            FirstEvent.class.getName()));
  }

  private static KafkaMessage first(KafkaServer kafka, Path output) throws Exception {
    try (Admin admin = kafka.admin()) {
      Awaitility.await("the topic")
          .atMost(PATIENCE)
          .until(() -> admin.listTopics().names().get().contains("order-events"));
    } catch (org.awaitility.core.ConditionTimeoutException e) {
      throw new AssertionError(Files.readString(output), e);
    }
    try (KafkaTail tail = new KafkaTail(kafka.bootstrapServers(), List.of("order-events"))) {
      Awaitility.await("the event").atMost(PATIENCE).until(() -> tail.count() > 0);
      return tail.messages().get(0);
    }
  }
}
