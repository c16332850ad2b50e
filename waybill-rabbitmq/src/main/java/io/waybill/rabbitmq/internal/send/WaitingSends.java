package io.waybill.rabbitmq.internal.send;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Sends that are not handed to the broker yet: the unsuspected, the suspects that go one at a time
 * on a channel of their own, and those for destinations that were silent or have refused, which
 * have one each as well. Guarded by the lock of its {@link PublishWindow}.
 */
final class WaitingSends {
  private final PoisonIsolation isolation = new PoisonIsolation();
  private final boolean isStrict;
  private Deque<Send> unsuspected = new ArrayDeque<>();
  private Deque<Send> suspects = new ArrayDeque<>();
  private Deque<Send> silent = new ArrayDeque<>();
  private Deque<Send> refused = new ArrayDeque<>();

  /**
   * Creates one.
   *
   * @param isStrict whether nothing may overtake a suspect
   */
  WaitingSends(boolean isStrict) {
    this.isStrict = isStrict;
  }

  PoisonIsolation isolation() {
    return isolation;
  }

  void add(Send send) {
    if (isolation.isOfSilent(send)) {
      silent.add(send);
    } else if (isolation.isOn(send) || (isStrict && !suspects.isEmpty())) {
      suspects.add(send);
    } else {
      (isolation.isOfRefused(send) ? refused : unsuspected).add(send);
    }
  }

  /** The broker answered a suspect without closing its channel. */
  void answered(Send send) {
    // Where nothing may overtake a suspect, what waits behind it became one as well.
    if (isolation.answered(send) || isStrict) {
      sort();
    }
  }

  /** Decides anew who is a suspect. */
  void sort() {
    List<Send> all = new ArrayList<>(unsuspected);
    all.addAll(suspects);
    all.addAll(silent);
    all.addAll(refused);
    unsuspected = new ArrayDeque<>();
    suspects = new ArrayDeque<>();
    silent = new ArrayDeque<>();
    refused = new ArrayDeque<>();
    all.forEach(this::add);
  }

  boolean hasInnocent() {
    return !unsuspected.isEmpty();
  }

  boolean hasSuspect() {
    return !suspects.isEmpty();
  }

  boolean hasBesideMain() {
    return hasSuspect() || hasSilent() || hasRefused();
  }

  boolean hasSilent() {
    return !silent.isEmpty();
  }

  boolean hasRefused() {
    return !refused.isEmpty();
  }

  Send takeRefused() {
    return refused.remove();
  }

  Send takeSilent() {
    return silent.remove();
  }

  Send takeInnocent() {
    return unsuspected.remove();
  }

  Send takeSuspect() {
    return suspects.remove();
  }

  void removeRefused(MessageCheck check, BiConsumer<Send, Confirmation> removed) {
    Map<Send, Confirmation> refused = new HashMap<>(0);
    removeIf(
        send -> {
          Confirmation refusal = check.refusal(send.message());
          if (refusal != null) {
            refused.put(send, refusal);
          }
          return refusal != null;
        },
        send -> {});
    refused.forEach(removed);
  }

  void removeLate(long now, Consumer<Send> removed) {
    removeIf(send -> send.isLate(now), removed);
  }

  void removeAll(Consumer<Send> removed) {
    removeIf(send -> true, removed);
  }

  /** Removes the sends of the same key and destination; all were accepted later. */
  void removeSuccessors(Send failed, Consumer<Send> removed) {
    byte[] key = failed.message().key();
    if (key != null) {
      removeIf(send -> isSuccessor(send.message(), failed.message(), key), removed);
    }
  }

  private static boolean isSuccessor(Outgoing later, Outgoing failed, byte[] key) {
    return Arrays.equals(later.key(), key) && later.destination().equals(failed.destination());
  }

  private void removeIf(Predicate<Send> condition, Consumer<Send> removed) {
    List<Send> found = new ArrayList<>(0);
    for (Deque<Send> queue : List.of(unsuspected, suspects, silent, refused)) {
      queue.removeIf(send -> condition.test(send) && found.add(send));
    }
    found.forEach(removed);
  }
}
