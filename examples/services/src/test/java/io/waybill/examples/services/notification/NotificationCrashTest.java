package io.waybill.examples.services.notification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.waybill.proof.proxy.Action;
import io.waybill.proof.proxy.Match;
import io.waybill.proof.proxy.Protocol;
import io.waybill.proof.proxy.Proxy;
import io.waybill.proof.proxy.Rule;
import io.waybill.proof.server.PostgresServer;
import io.waybill.proof.server.RabbitServer;
import io.waybill.testkit.Patience;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The service as a process that is killed, and its start on a table that has waiting rows. */
@Tag("server")
@Tag("long")
class NotificationCrashTest {
  private static final Duration PATIENCE = Patience.of(Duration.ofMinutes(2));

  private PostgresServer postgres;
  private RabbitServer rabbit;
  private JdbcClient jdbc;

  @BeforeEach
  void start() {
    postgres = PostgresServer.launch();
    postgres.createDatabase("restaurants");
    rabbit = RabbitServer.launch();
    jdbc = JdbcClient.create(postgres.dataSource("restaurants"));
  }

  @AfterEach
  void stop() {
    rabbit.close();
    postgres.close();
  }

  private List<String> properties(int rabbitPort, String... more) {
    List<String> properties =
        new ArrayList<>(
            List.of(
                "--spring.config.name=notification",
                "--spring.main.web-application-type=none",
                "--spring.datasource.url=" + postgres.jdbcUrl("restaurants"),
                "--spring.rabbitmq.host=127.0.0.1",
                "--spring.rabbitmq.port=" + rabbitPort,
                "--management.tracing.export.enabled=false"));
    properties.addAll(Arrays.asList(more));
    return properties;
  }

  private ConfigurableApplicationContext run(
      ApplicationListener<?> listener, List<String> properties) {
    return new SpringApplicationBuilder(NotificationApplication.class)
        .web(WebApplicationType.NONE)
        .bannerMode(Banner.Mode.OFF)
        .listeners(listener)
        .run(properties.toArray(String[]::new));
  }

  private void insertEvent(String id) {
    jdbc.sql(
            """
            insert into event_outbox (event_id, event_type, aggregate_type, aggregate_id, payload)
            values (?, 'ORDER_CREATED', 'RESTAURANT', 5, '{}')""")
        .param(id)
        .update();
  }

  private boolean isProcessed(String id) {
    return jdbc.sql(
            "select exists (select from event_outbox where event_id = ? and status = 'PROCESSED')")
        .param(id)
        .query(Boolean.class)
        .single();
  }

  private long published(String id) {
    return jdbc.sql(
            """
            select cast(extract(epoch from published_at at time zone 'UTC') * 1000 as bigint)
            from event_outbox where event_id = ?""")
        .param(id)
        .query(Long.class)
        .single();
  }

  private int people() {
    return jdbc.sql("select count(*) from person").query(Integer.class).single();
  }

  private int rows(String id) {
    return jdbc.sql("select count(*) from notification where event_id = ?")
        .param(id)
        .query(Integer.class)
        .single();
  }

  @Test
  void aServiceThatIsKilledBetweenCommitAndAcknowledgementLeavesTwentyRows(@TempDir Path folder)
      throws Exception {
    try (Proxy proxy = Proxy.start(Protocol.AMQP, rabbit.port())) {
      Process process = launch(folder, properties(proxy.port()));
      try {
        proxy.add(
            Rule.on(Match.consumerAck())
                .nth(1)
                .before(Action.run("kill -9", () -> process.destroyForcibly().onExit().join())));
        await()
            .atMost(PATIENCE)
            .ignoreExceptions() // Until the service has made its tables.
            .until(() -> people() > 0);
        insertEvent("KILLED");

        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      } finally {
        process.destroyForcibly();
      }
      assertThat(rows("KILLED")).isEqualTo(20);
      proxy.reset();
      try (ConfigurableApplicationContext second = run(event -> {}, properties(rabbit.port()))) {
        await()
            .atMost(PATIENCE)
            .until(
                () ->
                    isProcessed("KILLED")
                        && rabbit
                            .ctl("list_queues", "--no-table-headers", "messages")
                            .lines()
                            .allMatch("0"::equals));
        assertThat(second.isRunning()).isTrue();
      }
      assertThat(rows("KILLED")).isEqualTo(20);
    }
  }

  private static Process launch(Path folder, List<String> properties) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                NotificationApplication.class.getName()));
    command.addAll(properties);
    File output = folder.resolve("service.out").toFile();
    return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output).start();
  }

  /**
   * Bounds from below only. The pause begins when a read returns, so the time from an event's read
   * to its mark counts against it: the first one's is that of a cold service and is left out, and
   * two seconds are allowed for the second one's.
   */
  @Test
  void theFirstReadAndThePauseAreThoseOfTheKeys() {
    AtomicLong started = new AtomicLong();
    ApplicationListener<ApplicationStartedEvent> listener =
        event -> {
          started.set(System.currentTimeMillis());
          insertEvent("FIRST");
        };
    try (ConfigurableApplicationContext service =
        run(
            listener,
            properties(
                rabbit.port(),
                "--notification.outbox.initial.delay=4000",
                "--notification.outbox.poll.interval=3000"))) {
      await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(20))
          .until(() -> isProcessed("FIRST"));
      insertEvent("SECOND");
      await().atMost(PATIENCE).until(() -> isProcessed("SECOND"));
      insertEvent("THIRD");
      await().atMost(PATIENCE).until(() -> isProcessed("THIRD"));

      assertThat(service.isRunning()).isTrue();
      assertThat(published("FIRST") - started.get()).isGreaterThanOrEqualTo(4000);
      assertThat(published("THIRD") - published("SECOND")).isGreaterThan(1000);
    }
  }
}
