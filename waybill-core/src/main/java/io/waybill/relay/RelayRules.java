package io.waybill.relay;

import io.waybill.encode.MessageMapper;
import io.waybill.retry.RetryPolicy;
import java.util.function.Function;

/**
 * What is sent where, and what happens to failures.
 *
 * @param mapper from rows to messages
 * @param retryPolicy backoff and attempt limit
 * @param failurePolicies from a destination's name to its policy; the empty name stands for events
 *     without a route
 */
public record RelayRules(
    MessageMapper mapper,
    RetryPolicy retryPolicy,
    Function<String, FailurePolicy> failurePolicies) {
  /**
   * The usual rules: exponential backoff, ten attempts, then the key is parked.
   *
   * @param mapper from rows to messages
   * @return rules
   */
  public static RelayRules ofDefaults(MessageMapper mapper) {
    return new RelayRules(mapper, RetryPolicy.ofDefaults(), name -> new FailurePolicy.Park());
  }
}
