package io.waybill.server.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.waybill.message.Destination;
import io.waybill.message.Transport;
import io.waybill.spring.internal.config.LoadedConfig;
import io.waybill.spring.internal.config.Problem;
import io.waybill.spring.internal.config.Setting;
import io.waybill.spring.internal.standalone.StandaloneOutbox;
import io.waybill.spring.internal.standalone.StandaloneOutboxes;
import io.waybill.spring.properties.WaybillProperties;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Keys that a notification system has already, in a standalone relay. */
class DocumentedKeysTest {
  private static final String LAYOUT =
      """
      server: {port: 0}
      spring.rabbitmq: {host: localhost, port: 5673, username: ann, password: "${RABBIT}"}
      waybill:
        outboxes:
          notifications:
            database: {url: "jdbc:postgresql://127.0.0.1:9/shop"}
            layout: notification
      """;
  private static final Map<String, String> SECRETS = Map.of("RABBIT", "secret");

  @TempDir private Path folder;

  private LoadedConfig<WaybillProperties> loaded(String more) {
    return Loaded.of(folder, LAYOUT + more, SECRETS);
  }

  @Test
  void theyReachTheRelay() {
    LoadedConfig<WaybillProperties> loaded =
        loaded("notification.outbox: {poll.interval: 500, batch.size: 50, initial.delay: 0}\n");

    List<StandaloneOutbox> outboxes = StandaloneOutboxes.of(loaded, "test");
    assertThat(loaded.problems()).isEmpty();
    assertThat(outboxes)
        .singleElement()
        .satisfies(
            outbox -> {
              assertThat(outbox.transport()).isEqualTo(Transport.RABBITMQ);
              assertThat(outbox.destinations())
                  .extracting(Destination::name)
                  .containsExactly("notifications.exchange/notification.{aggregateType|lower}");
            });
    assertThat(RelayProcess.settings(loaded))
        .extracting(Setting::key, Setting::value)
        .contains(
            tuple("notification.outbox.batch.size", "50"), tuple("spring.rabbitmq.port", "5673"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "poll.interval: 0 | notification.outbox.poll.interval must be 1ms to 3600s, but is '0s'",
        "poll.interval: soon | notification.outbox.poll.interval must be a time",
        "batch.size: 9000 | notification.outbox.batch.size must be 1 to 8000, but is '9000'",
        "batch.size: many | notification.outbox.batch.size must be a whole number, but is 'many'",
        "bacth.size: 10 | notification.outbox.bacth is not a known key; did you mean 'batch'?"
      })
  void aBadValueIsRefusedWithItsLine(String line, String rule) {
    assertThat(loaded("notification.outbox." + line + "\n").problems())
        .singleElement()
        .extracting(Problem::toString)
        .asString()
        .contains(rule, "waybill.yaml line 8");
  }

  @Test
  void aBadValueOfSpringsOwnIsReportedOnce() {
    LoadedConfig<WaybillProperties> loaded = loaded("spring.rabbitmq.port: abc\n");
    StandaloneOutboxes.of(loaded, "test");

    assertThat(loaded.problems())
        .singleElement()
        .extracting(Problem::toString)
        .asString()
        .contains("spring.rabbitmq.port", "'abc'", "waybill.yaml line 8");
  }

  @Test
  void withoutSuchALayoutTheyAreRefused() {
    String yaml = Loaded.AWAY + "notification.outbox.batch.size: 10\n";

    assertThat(Loaded.of(folder, yaml, Map.of()).problems())
        .singleElement()
        .extracting(Problem::toString)
        .asString()
        .contains("notification.outbox.batch.size has no effect: no outbox has layout");
  }
}
