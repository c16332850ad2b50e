package io.waybill.spring.autoconfigure;

/**
 * Ends a process whose relay cannot continue. Without a bean of this type a failed relay starts
 * again, and one that its checks refuse waits until they pass.
 */
@FunctionalInterface
public interface RelayFailureHandler {
  /**
   * Reports that an outbox has no relay and gets none. Called by any thread, once for each relay.
   *
   * @param outbox name of the outbox
   * @param cause {@link io.waybill.internal.start.Supervisor.Refused} if a check forbids the start
   */
  void onFailure(String outbox, Throwable cause);
}
