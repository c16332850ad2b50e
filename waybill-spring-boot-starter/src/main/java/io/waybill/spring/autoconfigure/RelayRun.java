package io.waybill.spring.autoconfigure;

import io.waybill.RetentionJob;
import io.waybill.Waybill;
import io.waybill.observe.Finding;
import io.waybill.spring.WakeUp;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One life of the relay. */
final class RelayRun extends BackgroundRun {
  private static final Logger LOG = LoggerFactory.getLogger(RelayRun.class);

  private final RelayParts parts;
  private final WakeUp wakeUp;
  private @Nullable Waybill waybill;
  private @Nullable RetentionJob retention;

  RelayRun(RelayParts parts, WakeUp wakeUp) {
    super("relay", parts.name());
    this.parts = parts;
    this.wakeUp = wakeUp;
  }

  @Override
  boolean passes() {
    List<Finding> findings = parts.check();
    String refused =
        findings.stream()
            .filter(finding -> finding.severity() == Finding.Severity.REFUSE)
            .map(Problems::text)
            .collect(Collectors.joining("; "));
    if (!refused.isEmpty()) {
      tell(refused);
      return false;
    }
    findings.forEach(
        finding -> LOG.warn("{}; the relay starts nevertheless", Problems.text(finding)));
    return true;
  }

  @Override
  void begin() {
    Waybill started = parts.start();
    waybill = started;
    retention = parts.retention();
    wakeUp.relay(started.relay()::nudge);
  }

  @Override
  boolean end(Duration grace) {
    wakeUp.relay(null);
    boolean clean = waybill == null || waybill.stop(grace);
    if (retention != null) {
      retention.close();
    }
    return clean;
  }
}
