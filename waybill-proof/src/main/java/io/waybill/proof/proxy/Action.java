package io.waybill.proof.proxy;

import java.time.Duration;

/** What a rule does to a frame or to its connection. */
public sealed interface Action {
  /** The frame is swallowed, with the content or the rest of the reply that belongs to it. */
  record Drop() implements Action {}

  /**
   * The direction stands still; what follows waits too, as TCP keeps the order.
   *
   * @param time how long, positive
   */
  record Delay(Duration time) implements Action {
    /** Checks the time. */
    public Delay {
      if (time.isZero() || time.isNegative()) {
        throw new IllegalArgumentException("Delay must be positive, but is " + time);
      }
    }
  }

  /** The frame is passed on twice, with what belongs to it; it is kept in memory until then. */
  record Duplicate() implements Action {}

  /** Both sides see a reset. */
  record Reset() implements Action {}

  /** Both sides see the orderly end of the connection. */
  record Close() implements Action {}

  /** The receiver sees the end of the stream; the other direction goes on. */
  record HalfClose() implements Action {}

  /** From here on both directions of the connection swallow everything. */
  record BlackHole() implements Action {}

  /**
   * The test does something, on the direction's thread, which waits for it.
   *
   * @param name for the history
   * @param task must be quick or end with the connection
   */
  record Run(String name, Runnable task) implements Action {
    @Override
    public String toString() {
      return "Run[" + name + "]";
    }
  }

  /**
   * {@link Drop}, possible only before.
   *
   * @return the action
   */
  static Action drop() {
    return new Drop();
  }

  /**
   * {@link Delay}.
   *
   * @param time how long, positive
   * @return the action
   */
  static Action delay(Duration time) {
    return new Delay(time);
  }

  /**
   * {@link Duplicate}; the copy comes right behind the frame.
   *
   * @return the action
   */
  static Action duplicate() {
    return new Duplicate();
  }

  /**
   * {@link Reset}.
   *
   * @return the action
   */
  static Action reset() {
    return new Reset();
  }

  /**
   * {@link Close}.
   *
   * @return the action
   */
  static Action close() {
    return new Close();
  }

  /**
   * {@link HalfClose}.
   *
   * @return the action
   */
  static Action halfClose() {
    return new HalfClose();
  }

  /**
   * {@link BlackHole}.
   *
   * @return the action
   */
  static Action blackHole() {
    return new BlackHole();
  }

  /**
   * {@link Run}.
   *
   * @param name for the history
   * @param task must be quick or end with the connection
   * @return the action
   */
  static Action run(String name, Runnable task) {
    return new Run(name, task);
  }
}
