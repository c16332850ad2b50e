package io.waybill.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.proof.oracle.FaultWindow;
import java.util.List;
import org.junit.jupiter.api.Test;

class FaultLogTest {
  private final FaultLog log = new FaultLog();

  @Test
  void aLostReplyIsACauseUntilTheSocketsTimeLimitIsOver() {
    log.end(log.begin(FaultKind.COMMIT_REPLY_LOST, "relay-1/database"));
    log.end(log.begin(FaultKind.DATABASE_SLOW, "relay-1/database"));

    List<FaultWindow> causes = log.causes();
    FaultWindow lost = causes.get(0);
    FaultWindow slow = causes.get(1);
    assertThat(lost.endMillis() - lost.startMillis()).isGreaterThanOrEqualTo(15_000);
    assertThat(slow.endMillis() - slow.startMillis()).isLessThan(15_000);
    assertThat(log.all().get(0).endMillis()).isLessThan(lost.endMillis());
  }
}
