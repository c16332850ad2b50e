package io.waybill.spring.cloudstream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LanesTest {
  @Test
  void whatATaskThrowsDoesNotEndThoseBehindIt() throws InterruptedException {
    CountDownLatch queued = new CountDownLatch(1);
    CountDownLatch reached = new CountDownLatch(2);
    try (Lanes lanes = new Lanes()) {
      lanes.run("a", () -> fail(queued));
      lanes.run("a", reached::countDown);
      queued.countDown();
      lanes.run("a", reached::countDown);

      assertThat(reached.await(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  private static void fail(CountDownLatch queued) {
    try {
      queued.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new LinkageError("a class is missing");
  }
}
