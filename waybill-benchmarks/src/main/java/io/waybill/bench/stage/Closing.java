package io.waybill.bench.stage;

import java.util.ArrayDeque;
import java.util.Deque;

/** Things to close, the last one first. */
public final class Closing implements AutoCloseable {
  private final Deque<AutoCloseable> all = new ArrayDeque<>();

  /** Nothing yet. */
  public Closing() {}

  /** Returns what it will close. */
  public <T extends AutoCloseable> T add(T one) {
    all.push(one);
    return one;
  }

  @Override
  public void close() {
    for (AutoCloseable one : all) {
      try {
        one.close();
      } catch (Exception e) {
        throw new IllegalStateException("Could not be closed: " + one, e);
      }
    }
  }
}
