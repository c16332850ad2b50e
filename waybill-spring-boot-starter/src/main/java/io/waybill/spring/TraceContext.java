package io.waybill.spring;

import org.jspecify.annotations.Nullable;

/**
 * The W3C trace context of the calling thread. Thread-safe. It is no {@link
 * java.util.function.Supplier}, since Spring Cloud Stream sends what a bean of that type supplies.
 */
@FunctionalInterface
public interface TraceContext {
  /** None, ever. */
  TraceContext NONE = () -> null;

  /**
   * The context as the header {@code traceparent} has it.
   *
   * @return null if there is none
   */
  @Nullable String get();
}
