package io.waybill.examples.services.notification;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

class OutboxKeysTest {
  private static OutboxKeys of(Map<String, Object> properties) {
    StandardEnvironment environment = new StandardEnvironment();
    environment
        .getPropertySources()
        .addFirst(new MapPropertySource("test", new HashMap<>(properties)));
    return OutboxKeys.of(environment);
  }

  @Test
  void theDefaultsAreThoseOfTheDocument() {
    OutboxKeys keys = of(Map.of());

    assertThat(keys.poll().interval()).isEqualTo(Duration.ofSeconds(1));
    assertThat(keys.batch().size()).isEqualTo(100);
    assertThat(keys.initial().delay()).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void timesAreMillisecondsOrHaveAUnit() {
    OutboxKeys keys =
        of(
            Map.of(
                "notification.outbox.poll.interval", "250",
                "notification.outbox.initial.delay", "3s"));

    assertThat(keys.poll().interval()).isEqualTo(Duration.ofMillis(250));
    assertThat(keys.initial().delay()).isEqualTo(Duration.ofSeconds(3));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          poll.interval | 0       | poll.interval must be from 1 to 3600000 ms, but is 0
          poll.interval | 3600001 | poll.interval must be from 1 to 3600000 ms, but is 3600001
          batch.size    | 0       | batch.size must be from 1 to 8000, but is 0
          batch.size    | 8001    | batch.size must be from 1 to 8000, but is 8001
          initial.delay | -1      | initial.delay must be from 0 to 3600000 ms, but is -1
          """)
  void aValueOutOfItsRangeIsRefused(String key, String value, String text) {
    assertThatExceptionOfType(RuntimeException.class)
        .isThrownBy(() -> of(Map.of("notification.outbox." + key, value)))
        .havingRootCause()
        .withMessage("notification.outbox." + text);
  }

  @ParameterizedTest
  @CsvSource({
    "poll.interval, soon",
    "batch.size, many",
    "initial.delay, 2 weeks",
    "bacth.size, 10",
    "batch.size, 0"
  })
  @ExtendWith(OutputCaptureExtension.class)
  void theStartEndsWithAReportThatNamesTheKey(String key, String value, CapturedOutput output) {
    assertThatExceptionOfType(RuntimeException.class)
        .isThrownBy(
            () ->
                new SpringApplicationBuilder(NotificationApplication.class)
                    .properties("spring.config.name=notification")
                    .web(WebApplicationType.NONE)
                    .bannerMode(Banner.Mode.OFF)
                    .run("--notification.outbox." + key + "=" + value));

    assertThat(output)
        .contains("APPLICATION FAILED TO START", "notification.outbox." + key, value)
        .doesNotContain("\tat ");
  }
}
