package io.waybill.it.inbox;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Events of some keys, each published 2 to 5 times: the first copies in the order of their key,
 * later copies anywhere behind.
 */
final class Copies {
  /** One copy. */
  record Copy(String key, String id) {}

  private Copies() {}

  static List<String> keys(int count) {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      keys.add("k" + i);
    }
    return keys;
  }

  static List<Copy> of(int keys, int numbers, long seed) {
    Random random = new Random(seed);
    List<Copy> all = new ArrayList<>();
    List<Copy> later = new ArrayList<>();
    int[] next = new int[keys];
    for (int left = keys * numbers; left > 0; left--) {
      int key = random.nextInt(keys);
      while (next[key] == numbers) {
        key = (key + 1) % keys;
      }
      Copy copy = new Copy("k" + key, "k" + key + "-" + ++next[key]);
      all.add(copy);
      int more = 1 + random.nextInt(4);
      for (int i = 0; i < more; i++) {
        later.add(copy);
      }
      while (!later.isEmpty() && random.nextInt(5) < 3) {
        all.add(takeAny(later, random));
      }
    }
    while (!later.isEmpty()) {
      all.add(takeAny(later, random));
    }
    return all;
  }

  private static Copy takeAny(List<Copy> some, Random random) {
    int index = random.nextInt(some.size());
    Copy taken = some.get(index);
    some.set(index, some.get(some.size() - 1));
    some.remove(some.size() - 1);
    return taken;
  }
}
