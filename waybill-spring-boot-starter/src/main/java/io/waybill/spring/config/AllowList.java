package io.waybill.spring.config;

import java.util.Set;
import java.util.function.UnaryOperator;

/** Which names a map may have: what a driver or client takes, without what could harm. */
@FunctionalInterface
public interface AllowList {
  /**
   * The names that are allowed.
   *
   * @param neighbours the value of a key beside the map, as it is written, or the empty text
   * @return the names, exactly as they are to be written
   */
  Set<String> names(UnaryOperator<String> neighbours);
}
