package io.waybill.spring;

import io.waybill.message.TraceContext;
import org.jspecify.annotations.Nullable;

/**
 * The W3C trace context of the calling thread. Thread-safe. It is not a {@link
 * java.util.function.Supplier}, because Spring Cloud Stream sends what a bean of that type
 * supplies.
 */
@FunctionalInterface
public interface CurrentTraceContext {
  /** None, ever. */
  CurrentTraceContext NONE = () -> null;

  /**
   * The context in the form of headers.
   *
   * @return null if there is none
   */
  @Nullable TraceContext get();
}
