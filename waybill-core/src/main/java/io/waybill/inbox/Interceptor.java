package io.waybill.inbox;

import io.waybill.message.ReceivedEvent;
import java.util.List;

/** Stands around every call of a handler, for example to open a span. Thread-safe. */
@FunctionalInterface
public interface Interceptor {
  /** Adds nothing. */
  Interceptor NONE = (events, call) -> call.run();

  /**
   * Calls the handler, once.
   *
   * @param events what it is called with: one event, or a batch
   * @param call the handler's call
   * @throws Exception what the call throws
   */
  void around(List<ReceivedEvent> events, Call call) throws Exception;

  /**
   * Several as one.
   *
   * @param interceptors each stands around the next
   * @return all of them
   */
  static Interceptor all(List<Interceptor> interceptors) {
    Interceptor whole = NONE;
    for (int i = interceptors.size() - 1; i >= 0; i--) {
      Interceptor outer = interceptors.get(i);
      Interceptor inner = whole;
      whole = (events, call) -> outer.around(events, () -> inner.around(events, call));
    }
    return whole;
  }

  /** A handler's call. */
  @FunctionalInterface
  interface Call {
    /**
     * Calls it.
     *
     * @throws Exception what the handler throws
     */
    void run() throws Exception;
  }
}
