package io.waybill.server.terminal;

import java.lang.reflect.Proxy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ctrl-C and the termination signal. A shutdown hook cannot tell a second signal from the first, so
 * the JDK's signal class is used; it is public in every JDK, but not to a compiler that treats
 * warnings as errors.
 */
public final class Signals {
  private static final Logger LOG = LoggerFactory.getLogger(Signals.class);

  private Signals() {}

  /**
   * Runs the action on each of the signals instead of ending the process.
   *
   * @param action what to do; on a thread of the JVM
   */
  public static void handle(Runnable action) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object proxy =
          Proxy.newProxyInstance(
              Signals.class.getClassLoader(),
              new Class<?>[] {handler},
              (self, method, arguments) -> {
                if (method.getName().equals("handle")) {
                  action.run();
                }
                return null;
              });
      for (String name : new String[] {"TERM", "INT"}) {
        Object instance = signal.getConstructor(String.class).newInstance(name);
        signal.getMethod("handle", signal, handler).invoke(null, instance, proxy);
      }
    } catch (ReflectiveOperationException e) {
      LOG.warn("This JVM hides its signals; a stop will not be graceful", e);
    }
  }
}
