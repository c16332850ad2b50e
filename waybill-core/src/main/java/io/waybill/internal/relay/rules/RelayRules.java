package io.waybill.internal.relay.rules;

import io.waybill.internal.encode.MessageMapper;
import io.waybill.policy.FailurePolicy;
import io.waybill.policy.RetryPolicy;
import java.util.function.Function;

/**
 * The rules of a relay: what is sent where, and what happens to failures.
 *
 * @param mapper makes messages of rows
 * @param retryPolicy backoff and attempt limit
 * @param failurePolicies maps a destination's name to its policy; the empty name stands for events
 *     without a route
 */
public record RelayRules(
    MessageMapper mapper,
    RetryPolicy retryPolicy,
    Function<String, FailurePolicy> failurePolicies) {
  /**
   * The usual rules: exponential backoff, ten attempts, then the key is parked.
   *
   * @param mapper makes messages of rows
   * @return rules
   */
  public static RelayRules ofDefaults(MessageMapper mapper) {
    return new RelayRules(mapper, RetryPolicy.ofDefaults(), name -> new FailurePolicy.Park());
  }
}
