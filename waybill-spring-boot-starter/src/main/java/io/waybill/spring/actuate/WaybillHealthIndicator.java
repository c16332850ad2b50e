package io.waybill.spring.actuate;

import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Down, with reasons, while relay or inbox make no progress. Queries neither database nor broker.
 */
public final class WaybillHealthIndicator extends AbstractHealthIndicator {
  private final String what;
  private final String name;
  private final Supplier<List<String>> unready;

  /**
   * Judges a relay or an inbox.
   *
   * @param what which of them, the name of the detail
   * @param name its name
   * @param unready why it makes no progress; empty if it does
   */
  public WaybillHealthIndicator(String what, String name, Supplier<List<String>> unready) {
    this.what = Objects.requireNonNull(what, "what");
    this.name = Objects.requireNonNull(name, "name");
    this.unready = Objects.requireNonNull(unready, "unready");
  }

  @Override
  protected void doHealthCheck(Health.Builder builder) {
    List<String> reasons = unready.get();
    builder.withDetail(what, name);
    if (reasons.isEmpty()) {
      builder.up();
    } else {
      builder.down().withDetail("reasons", reasons);
    }
  }
}
