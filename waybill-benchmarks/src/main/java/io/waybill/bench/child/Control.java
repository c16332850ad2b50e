package io.waybill.bench.child;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;

/**
 * The line between a child and the process that measures it: words on standard output and input.
 * The child ends when its input does, so it never outlives its parent.
 */
public final class Control {
  private final CountDownLatch go = new CountDownLatch(1);
  private final CountDownLatch write = new CountDownLatch(1);
  private final CountDownLatch stop = new CountDownLatch(1);

  Control() {
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
  synchronized void tell(Object... words) {
    StringBuilder line = new StringBuilder();
    for (Object word : words) {
      line.append(line.length() == 0 ? "" : " ").append(word);
    }
    System.out.println(line);
    System.out.flush();
  }

  void readyAndAwaitGo() throws InterruptedException {
    tell("ready");
    go.await();
  }

  void awaitWrite() throws InterruptedException {
    write.await();
  }

  void awaitStop() throws InterruptedException {
    stop.await();
  }

  boolean stopping() {
    return stop.getCount() == 0;
  }
}
