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
