package io.waybill.proof.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class WorkersTest {
  @Test
  void everyThreadDoesTheWork() throws InterruptedException {
    AtomicInteger done = new AtomicInteger();
    Workers.run(3, done::incrementAndGet);
    assertThat(done).hasValue(3);
  }

  @Test
  @Timeout(20)
  void theFirstThatDiesEndsItThoughOthersGoOn() {
    AtomicInteger begun = new AtomicInteger();
    CountDownLatch never = new CountDownLatch(1);
    assertThatIllegalStateException()
        .isThrownBy(() -> Workers.run(2, () -> work(begun.getAndIncrement(), never)))
        .withCauseInstanceOf(NoSuchMethodError.class);
  }

  private static void work(int number, CountDownLatch never) {
    if (number == 1) {
      throw new NoSuchMethodError("planned");
    }
    try {
      never.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
