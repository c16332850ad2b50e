package io.waybill.message;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The headers of an event, in order. Immutable.
 *
 * @param list the headers
 */
public record Headers(List<Header> list) {
  /** No headers. */
  public static final Headers NONE = new Headers(List.of());

  /** Copies the list. */
  public Headers {
    list = List.copyOf(list);
  }

  /**
   * Headers from a map, in its order.
   *
   * @param values value by name
   * @return the headers
   */
  public static Headers of(Map<String, String> values) {
    List<Header> list = new ArrayList<>(values.size());
    values.forEach((name, value) -> list.add(new Header(name, value)));
    return new Headers(list);
  }

  /**
   * Looks a header up.
   *
   * @param name exact name
   * @return its value, or null
   */
  public @Nullable String get(String name) {
    for (Header header : list) {
      if (header.name().equals(name)) {
        return header.value();
      }
    }
    return null;
  }

  /**
   * Whether there are none.
   *
   * @return true without headers
   */
  public boolean isEmpty() {
    return list.isEmpty();
  }
}
