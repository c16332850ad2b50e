package io.waybill.proof;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C and SIGTERM. The first asks for an orderly end, the second ends the JVM at once. Uses the
 * signals of {@code jdk.unsupported}, by reflection because the compiler warns of them: a shutdown
 * hook would run beside those that stop the servers, which a reconciliation still needs.
 * Thread-safe.
 */
public final class Interrupts {
  private final CountDownLatch asked = new CountDownLatch(1);

  /** Listens to nothing yet. */
  public Interrupts() {}

  /** Takes the signals over, where the JVM lets it. */
  public void listen() {
    for (String name : List.of("INT", "TERM")) {
      try {
        take(name);
      } catch (ReflectiveOperationException | IllegalArgumentException e) {
        return; // Such a JVM ends as usual: its hooks stop everything, without a reconciliation.
      }
    }
  }

  /**
   * Whether the end was asked for.
   *
   * @return true from the first signal on
   */
  public boolean asked() {
    return asked.getCount() == 0;
  }

  /**
   * Waits for the end to be asked for.
   *
   * @param millis longest time to wait, milliseconds
   * @return whether it was asked for
   * @throws InterruptedException if this thread is interrupted
   */
  public boolean await(long millis) throws InterruptedException {
    return asked.await(millis, TimeUnit.MILLISECONDS);
  }

  /**
   * Waits for the end to be asked for.
   *
   * @throws InterruptedException if this thread is interrupted
   */
  public void await() throws InterruptedException {
    asked.await();
  }

  private void signalled() {
    if (asked()) {
      new Thread(() -> System.exit(130), "exit").start();
    }
    asked.countDown();
  }

  private void take(String name) throws ReflectiveOperationException {
    Class<?> signal = Class.forName("sun.misc.Signal");
    Class<?> handler = Class.forName("sun.misc.SignalHandler");
    Object proxy =
        Proxy.newProxyInstance(
            Interrupts.class.getClassLoader(),
            new Class<?>[] {handler},
            (self, method, arguments) -> {
              if (method.getName().equals("handle")) {
                signalled();
              }
              return null;
            });
    Object instance = signal.getConstructor(String.class).newInstance(name);
    signal.getMethod("handle", signal, handler).invoke(null, instance, proxy);
  }
}
