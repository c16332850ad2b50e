package io.waybill.spring.autoconfigure;

/**
 * Ends a process whose relay cannot go on. Without a bean of this type a relay that fails begins
 * again, and one that is refused by its checks waits until they pass.
 */
@FunctionalInterface
public interface RelayFailureHandler {
  /**
   * An outbox has no relay and gets none. Called by any thread, once for each relay.
   *
   * @param outbox name of the outbox
   * @param cause {@link io.waybill.Supervisor.Refused} if a check forbids the start
   */
  void onFailure(String outbox, Throwable cause);
}
