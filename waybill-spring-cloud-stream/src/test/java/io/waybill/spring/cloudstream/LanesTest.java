package io.waybill.spring.cloudstream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class LanesTest {
  @Test
  void whatATaskThrowsDoesNotEndThoseBehindIt() throws InterruptedException {
    CountDownLatch queued = new CountDownLatch(1);
    CountDownLatch reached = new CountDownLatch(2);
    try (Lanes lanes = new Lanes(4)) {
      lanes.run("a", () -> fail(queued));
      lanes.run("a", reached::countDown);
      queued.countDown();
      lanes.run("a", reached::countDown);

      assertThat(reached.await(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void manyNamesThatBlockStartAFixedNumberOfThreads() throws InterruptedException {
    CountDownLatch end = new CountDownLatch(1);
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    try (Lanes lanes = new Lanes(4)) {
      for (int i = 0; i < 1_000; i++) {
        lanes.run("orders/" + i, () -> block(threads, end));
      }
      Awaitility.await().until(() -> threads.size() == 4);
      long alive =
          Thread.getAllStackTraces().keySet().stream()
              .filter(thread -> thread.getName().equals("waybill-cloud-stream"))
              .count();
      assertThat(alive).isLessThanOrEqualTo(8);
      end.countDown();
    }
  }

  private static void block(Set<Thread> threads, CountDownLatch end) {
    threads.add(Thread.currentThread());
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
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
