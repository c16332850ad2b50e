package io.waybill.proof.explore;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Gives equal values equal numbers, from 1 on. */
final class Numbers<T> {
  private final Map<T, Integer> numbers = new HashMap<>();
  private final List<T> values = new ArrayList<>();

  int of(T value) {
    Integer known = numbers.get(value);
    if (known == null) {
      values.add(value);
      known = values.size();
      numbers.put(value, known);
    }
    return known;
  }

  T value(int number) {
    return values.get(number - 1);
  }
}
