package io.waybill.spring.internal.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.waybill.internal.jdbc.table.TablePolling;
import io.waybill.layout.Layouts;
import io.waybill.message.Transport;
import io.waybill.spring.WaybillStartException;
import io.waybill.spring.properties.WaybillProperties;
import io.waybill.store.Polling;
import io.waybill.store.Polling.Rhythm;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** The keys waybill.poll.*: what they make of a layout's own polling. */
class PollKeysTest {
  private static final Polling WALLET = TablePolling.of(Layouts.WALLET);

  private static Rhythm rhythm(Polling usual, Map<String, String> keys) {
    Map<String, String> all = new HashMap<>(Map.of("waybill.routes.default.target", "events"));
    keys.forEach((key, value) -> all.put("waybill.poll." + key, value));
    WaybillProperties properties =
        new Binder(new MapConfigurationPropertySource(all))
            .bindOrCreate("waybill", WaybillProperties.class);
    return RelayChecked.settings(
            ConfiguredOutbox.of(properties, "shop-1").get(0),
            Transport.KAFKA,
            Duration.ofSeconds(5),
            usual)
        .polling(usual)
        .rhythm();
  }

  @Test
  void withoutKeysTheLayoutSays() {
    assertThat(rhythm(WALLET, Map.of())).isEqualTo(new Rhythm.FixedRate(Duration.ofSeconds(5)));
  }

  @Test
  void anIntervalIsAFixedDelayUnlessTheModeIsAFixedRate() {
    Duration interval = Duration.ofSeconds(7);
    Polling usual = Polling.adaptive();

    assertThat(rhythm(usual, Map.of("interval", "7s"))).isEqualTo(new Rhythm.FixedDelay(interval));
    assertThat(rhythm(usual, Map.of("interval", "7s", "mode", "fixed-delay")))
        .isEqualTo(new Rhythm.FixedDelay(interval));
    assertThat(rhythm(usual, Map.of("interval", "7s", "mode", "fixed-rate")))
        .isEqualTo(new Rhythm.FixedRate(interval));
  }

  @Test
  void minMaxOrTheModeMakeItAdaptive() {
    assertThat(rhythm(WALLET, Map.of("mode", "adaptive"))).isEqualTo(Polling.adaptive().rhythm());
    assertThat(rhythm(WALLET, Map.of("max", "1s")))
        .isEqualTo(new Rhythm.Adaptive(Duration.ofMillis(5), Duration.ofSeconds(1)));
  }

  @ParameterizedTest
  @CsvSource({
    "fixed-rate, , needs waybill.poll.interval",
    "fixed-delay, , needs waybill.poll.interval",
    "adaptive, 5s, must be fixed-delay or fixed-rate with waybill.poll.interval"
  })
  void aModeThatDoesNotFitTheIntervalIsRefused(String mode, String interval, String rule) {
    Map<String, String> keys =
        interval == null ? Map.of("mode", mode) : Map.of("mode", mode, "interval", interval);

    assertThatExceptionOfType(WaybillStartException.class)
        .isThrownBy(() -> rhythm(WALLET, keys))
        .withMessageContaining("waybill.poll.mode " + rule);
  }
}
