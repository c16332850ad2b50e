package io.waybill.spring;

import io.waybill.message.TraceContext;
import org.jspecify.annotations.Nullable;

/**
 * The W3C trace context of the calling thread. Thread-safe. It is no {@link
 * java.util.function.Supplier}, since Spring Cloud Stream sends what a bean of that type supplies.
 */
@FunctionalInterface
public interface CurrentTraceContext {
  /** None, ever. */
  CurrentTraceContext NONE = () -> null;

  /**
   * The context as headers have it.
   *
   * @return null if there is none
   */
  @Nullable TraceContext get();
}
