package io.waybill.demo;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Faults that are made and ended, by a person and by the script, one after another and beside the
 * thread that shows the progress. Thread-safe.
 */
final class Buttons implements AutoCloseable {
  private final Map<String, Button> buttons = new LinkedHashMap<>();
  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private final List<Future<?>> begun = new ArrayList<>();
  private int made;
  private boolean settled;

  /**
   * How a button is.
   *
   * @param fault what it does
   * @param broken whether the fault was made and not ended by the button since
   * @param busy whether it cannot be pressed: it is being made or ended, or needs the broker
   */
  record Button(Fault fault, boolean broken, boolean busy) {
    /** Whether a press now would end the fault. */
    boolean mends() {
      return broken && fault.toggles();
    }
  }

  Buttons(List<Fault> faults) {
    faults.forEach(fault -> buttons.put(fault.key(), new Button(fault, false, false)));
  }

  synchronized List<Button> all() {
    return buttons.values().stream().map(this::blocked).toList();
  }

  /** While the broker is away, those that need it do nothing. */
  private Button blocked(Button button) {
    Button broker = buttons.get(Fault.BROKER);
    boolean away = broker != null && (broker.broken() || broker.busy());
    return button.fault().needsBroker() && away
        ? new Button(button.fault(), button.broken(), true)
        : button;
  }

  /**
   * Makes a fault, or ends it.
   *
   * @param key of the fault
   * @param mend whether it is meant to end
   * @return false if there is no such button, or it means something else by now
   */
  synchronized boolean press(String key, boolean mend) {
    Button button = buttons.get(key);
    if (button == null || blocked(button).busy() || button.mends() != mend || settled) {
      return false;
    }
    begin(button.fault(), mend);
    return true;
  }

  private void begin(Fault fault, boolean mend) {
    made += mend ? 0 : 1;
    buttons.put(fault.key(), new Button(fault, true, true));
    begun.add(thread.submit(() -> carryOut(fault, mend)));
  }

  private void carryOut(Fault fault, boolean mend) {
    (mend ? fault.mend() : fault.make()).run();
    synchronized (this) {
      buttons.put(fault.key(), new Button(fault, !mend, false));
    }
  }

  /**
   * Ends what was made and is not ended; nothing can be pressed from then on.
   *
   * @param last what is done after that
   */
  synchronized void settle(Runnable last) {
    settled = true;
    begun.add(thread.submit(this::mendAll));
    begun.add(thread.submit(last));
  }

  private void mendAll() {
    for (Button button : all()) {
      if (button.broken()) {
        carryOut(button.fault(), true);
      }
    }
  }

  /** Whether all that was pressed was done; fails with the failure of a fault. */
  synchronized boolean idle() throws InterruptedException, ExecutionException {
    for (Future<?> each : begun) {
      if (!each.isDone()) {
        return false;
      }
      each.get();
    }
    begun.clear();
    return true;
  }

  /** Number of faults that were made. */
  synchronized int made() {
    return made;
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
