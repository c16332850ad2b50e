package io.waybill.bench.child;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The line between a child and the process that measures it: words on standard output and input.
 * The child ends when its input does, so it never outlives its parent.
 */
public final class Control {
  private static final String EXPECT = "expect ";
  private static final String TOTAL = "total ";

  private final CountDownLatch go = new CountDownLatch(1);
  private final CountDownLatch write = new CountDownLatch(1);
  private final CountDownLatch stop = new CountDownLatch(1);
  private volatile Supplier<String> counter = () -> "0 " + System.nanoTime();
  private volatile long deliveries = -1;
  private volatile long total = -1;

  /** Listens from now on. */
  public Control() {
    Thread watch = new Thread(this::listen, "parent-watch");
    watch.setDaemon(true);
    watch.start();
  }

  private void listen() {
    try (BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.equals("go")) {
          go.countDown();
        } else if (line.equals("write")) {
          write.countDown();
        } else if (line.equals("stop")) {
          stop.countDown();
        } else if (line.equals("count")) {
          tell("count", counter.get());
        } else if (line.startsWith(EXPECT)) {
          deliveries = Long.parseLong(line.substring(EXPECT.length()));
        } else if (line.startsWith(TOTAL)) {
          total = Long.parseLong(line.substring(TOTAL.length()));
        }
      }
    } catch (IOException broken) {
      // The same as the end of the input.
    }
    Runtime.getRuntime().halt(0);
  }

  /**
   * Says something to the parent.
   *
   * @param words joined by blanks
   */
  public synchronized void tell(Object... words) {
    StringBuilder line = new StringBuilder();
    for (Object word : words) {
      line.append(line.length() == 0 ? "" : " ").append(word);
    }
    System.out.println(line);
    System.out.flush();
  }

  /**
   * Says {@code ready} and waits to be told to begin.
   *
   * @throws InterruptedException when the thread is interrupted
   */
  public void readyAndAwaitGo() throws InterruptedException {
    tell("ready");
    go.await();
  }

  /**
   * Waits to be told to write events.
   *
   * @throws InterruptedException when the thread is interrupted
   */
  public void awaitWrite() throws InterruptedException {
    write.await();
  }

  /**
   * Waits to be told to end.
   *
   * @throws InterruptedException when the thread is interrupted
   */
  public void awaitStop() throws InterruptedException {
    stop.await();
  }

  /**
   * Whether it has been told to end.
   *
   * @return whether it has
   */
  public boolean stopping() {
    return stop.getCount() == 0;
  }

  /** Deliveries that were confirmed before the run was cut short, -1 if it was not. */
  long deliveriesUntilCut() {
    return deliveries;
  }

  /** Events of the run: what the parent has said last, and until then what was planned. */
  long total(long planned) {
    return total < 0 ? planned : total;
  }

  /** What is answered when the parent asks for the count. */
  void counter(Supplier<String> answer) {
    counter = answer;
  }

  /** The same for one that only counts. */
  void counting(LongSupplier count) {
    counter(() -> count.getAsLong() + " " + System.nanoTime());
  }
}
