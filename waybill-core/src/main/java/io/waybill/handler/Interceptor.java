package io.waybill.handler;

import io.waybill.message.ReceivedEvent;
import java.util.List;

/** Wraps every call of a handler, for example to open a span. Thread-safe. */
@FunctionalInterface
public interface Interceptor {
  /** Calls the handler without further effect. */
  Interceptor NONE = (events, call) -> call.run();

  /**
   * Calls the handler, once.
   *
   * @param events the events of the call: one event, or a batch
   * @param call the handler's call
   * @throws Exception any exception of the call
   */
  void around(List<ReceivedEvent> events, Call call) throws Exception;

  /**
   * Combines several interceptors.
   *
   * @param interceptors each wraps the next
   * @return all of them as one
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
     * Calls the handler.
     *
     * @throws Exception any exception of the handler
     */
    void run() throws Exception;
  }
}
