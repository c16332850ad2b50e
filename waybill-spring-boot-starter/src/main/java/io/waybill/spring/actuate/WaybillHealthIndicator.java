package io.waybill.spring.actuate;

import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/** Down with reasons while the relay makes no progress. Asks neither database nor broker. */
public final class WaybillHealthIndicator extends AbstractHealthIndicator {
  private final String relay;
  private final Supplier<List<String>> unready;

  /**
   * Judges a relay.
   *
   * @param relay its name
   * @param unready why it makes no progress; empty if it does
   */
  public WaybillHealthIndicator(String relay, Supplier<List<String>> unready) {
    this.relay = Objects.requireNonNull(relay, "relay");
    this.unready = Objects.requireNonNull(unready, "unready");
  }

  @Override
  protected void doHealthCheck(Health.Builder builder) {
    List<String> reasons = unready.get();
    builder.withDetail("relay", relay);
    if (reasons.isEmpty()) {
      builder.up();
    } else {
      builder.down().withDetail("reasons", reasons);
    }
  }
}
