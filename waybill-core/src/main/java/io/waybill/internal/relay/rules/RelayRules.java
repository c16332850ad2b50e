package io.waybill.internal.relay.rules;

import io.waybill.internal.encode.Mapped;
import io.waybill.internal.encode.MessageMapper;
import io.waybill.policy.FailurePolicy;
import io.waybill.policy.RetryPolicy;
import java.util.function.BooleanSupplier;
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

  /**
   * The same for rows that are sent nowhere. Nobody is asked what becomes of failures.
   *
   * @param inTime whether there is still time to make messages
   * @return changed rules
   */
  public RelayRules forDryRun(BooleanSupplier inTime) {
    MessageMapper whileInTime =
        (row, sendId) ->
            inTime.getAsBoolean()
                ? mapper.map(row, sendId)
                : new Mapped.Unmappable("late", "there is no time left to map it");
    return new RelayRules(whileInTime, retryPolicy, name -> new FailurePolicy.Park());
  }
}
