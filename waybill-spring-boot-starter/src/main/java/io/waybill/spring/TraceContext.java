package io.waybill.spring;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The W3C trace context of the calling thread, or null. Thread-safe. */
@FunctionalInterface
public interface TraceContext extends Supplier<@Nullable String> {
  /** None, ever. */
  TraceContext NONE = () -> null;
}
