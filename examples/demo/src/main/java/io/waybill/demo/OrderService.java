package io.waybill.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * The process of the order service: several threads change orders and append events in the same
 * transactions. Prints its progress; on SIGTERM it ends its open transactions first.
 */
final class OrderService {
  private static final int THREADS = 6;
  private static final int REPORT_MILLIS = 100;

  private OrderService() {}

  /**
   * Runs until all events are committed.
   *
   * @param args JDBC URL, number of events, events per second
   * @throws Exception when the database fails
   */
  public static void main(String[] args) throws Exception {
    Quota quota =
        new Quota(Integer.parseInt(args[1]), Integer.parseInt(args[2]), System.nanoTime());
    Shop shop = new Shop();
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    List<Future<Void>> writers = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      writers.add(threads.submit(new OrderWriter(args[0], shop, quota, new SplittableRandom(i))));
    }
    threads.shutdown();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(quota, threads), "stop"));
    while (!threads.awaitTermination(REPORT_MILLIS, TimeUnit.MILLISECONDS)) {
      report(quota);
    }
    for (Future<Void> writer : writers) {
      writer.get();
    }
  }

  private static void stop(Quota quota, ExecutorService threads) {
    quota.stop();
    try {
      threads.awaitTermination(20, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    report(quota);
  }

  private static void report(Quota quota) {
    System.out.println(quota.progress().line());
  }
}
