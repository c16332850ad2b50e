package io.waybill.spring.internal.config;

import java.util.Set;
import java.util.function.UnaryOperator;

/** The names that a map may have: those that a driver or client accepts, without harmful ones. */
@FunctionalInterface
public interface AllowList {
  /**
   * The names that are allowed.
   *
   * @param neighbours the value of a key next to the map, as it is written, or the empty text
   * @return the names, exactly as they are to be written
   */
  Set<String> names(UnaryOperator<String> neighbours);
}
