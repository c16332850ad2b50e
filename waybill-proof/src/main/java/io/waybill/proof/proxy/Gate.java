package io.waybill.proof.proxy;

import java.io.ByteArrayOutputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Lets frames of one direction of one connection pass as the rules say. Used by one thread. */
final class Gate implements Splitter.Sink {
  /** What a gate can do to its connection. */
  interface Reach {
    Optional<Rule> firing(Frame frame);

    /** Whether bytes are swallowed now; notes that some were. */
    boolean swallows();

    /** Ends or silences the connection behind what was handed over. */
    void cut(Action kind) throws InterruptedException;
  }

  /** What happens to a unit of frames: dropped, copied, followed by an action, or nothing. */
  private record Fate(
      boolean dropped, @Nullable ByteArrayOutputStream copy, @Nullable Action after) {
    static final Fate PASS = new Fate(false, null, null);
  }

  private final Reach reach;
  private final Outlet outlet;
  private final SplittableRandom random = new SplittableRandom();
  private final ByteArrayOutputStream passed = new ByteArrayOutputStream();
  private final Map<Integer, Fate> begun = new HashMap<>();
  private Fate fate = Fate.PASS;
  private boolean ending;
  private boolean over;

  Gate(Reach reach, Outlet outlet) {
    this.reach = reach;
    this.outlet = outlet;
  }

  @Override
  public void begin(Frame frame) throws InterruptedException {
    Fate known = begun.remove(frame.stream());
    if (frame.begins()) {
      // A unit may end without saying so, when the next one begins.
      finish(known);
      fate = over ? Fate.PASS : decide(frame);
    } else {
      fate = known == null ? Fate.PASS : known;
    }
    ending = frame.ends();
    if (!ending) {
      begun.put(frame.stream(), fate);
    }
  }

  private Fate decide(Frame frame) throws InterruptedException {
    Optional<Rule> firing = reach.firing(frame);
    if (firing.isEmpty()) {
      return Fate.PASS;
    }
    Action action = firing.get().action();
    if (action instanceof Action.Drop) {
      return new Fate(true, null, null);
    }
    if (action instanceof Action.Duplicate) {
      return new Fate(false, new ByteArrayOutputStream(), null);
    }
    if (firing.get().moment() == Rule.Moment.AFTER) {
      return new Fate(false, null, action);
    }
    act(action);
    return Fate.PASS;
  }

  @Override
  public void bytes(byte[] data, int offset, int length) {
    if (over || fate.dropped() || reach.swallows()) {
      return;
    }
    passed.write(data, offset, length);
    ByteArrayOutputStream copy = fate.copy();
    if (copy != null) {
      copy.write(data, offset, length);
    }
  }

  @Override
  public void end() throws InterruptedException {
    if (ending) {
      finish(fate);
    }
  }

  private void finish(@Nullable Fate done) throws InterruptedException {
    if (done == null || over) {
      return;
    }
    ByteArrayOutputStream copy = done.copy();
    if (copy != null) {
      passed.writeBytes(copy.toByteArray());
    }
    Action after = done.after();
    if (after != null) {
      act(after);
    }
  }

  /** Hands over what has passed so far. */
  void flush() throws InterruptedException {
    if (passed.size() > 0) {
      outlet.bytes(passed.toByteArray(), random.nextDouble());
      passed.reset();
    }
  }

  private void act(Action action) throws InterruptedException {
    if (action instanceof Action.BlackHole) {
      // Silent before the receiver can answer to what passes now.
      reach.cut(action);
      flush();
      return;
    }
    flush();
    if (action instanceof Action.Delay delay) {
      outlet.step(() -> TimeUnit.NANOSECONDS.sleep(delay.time().toNanos()));
    } else if (action instanceof Action.Run run) {
      outlet.step(run.task()::run);
    } else {
      over = true;
      reach.cut(action);
    }
  }
}
