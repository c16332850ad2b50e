package io.waybill.rabbitmq.internal.send;

import com.rabbitmq.client.Return;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The unconfirmed sends of one channel by delivery sequence: a ring over the numbers that the
 * broker counts from 1. Guarded by the lock of its {@link PublishWindow}.
 */
final class Outstanding {
  private final @Nullable Send[] slots;
  private final int window;
  private long oldest = 1;
  private long next = 1;
  private long highestAnswered;

  Outstanding(int window) {
    this.window = window;
    this.slots = new Send[Integer.highestOneBit(Math.max(1, window - 1)) << 1];
  }

  /** How many more may be added; sends behind the oldest unconfirmed one count until it is gone. */
  int room() {
    return (int) (window - (next - oldest));
  }

  boolean isEmpty() {
    return next == oldest;
  }

  void add(Send send) {
    if (room() == 0) {
      throw new IllegalStateException("more than " + window + " sends outstanding");
    }
    slots[index(next)] = send;
    next++;
  }

  /**
   * Removes what the broker answered.
   *
   * @param tag delivery sequence
   * @param multiple whether all up to this one are meant
   * @param taken told each removed send in order
   */
  void take(long tag, boolean multiple, Consumer<Send> taken) {
    long last = Math.min(tag, next - 1);
    if (tag > last) {
      throw new IllegalStateException("answer to " + tag + ", but only " + last + " were sent");
    }
    highestAnswered = Math.max(highestAnswered, last);
    for (long sequence = multiple ? oldest : Math.max(tag, oldest); sequence <= last; sequence++) {
      remove(sequence, taken);
    }
    advance();
  }

  private void advance() {
    while (oldest < next && slots[index(oldest)] == null) {
      oldest++;
    }
  }

  /**
   * Removes late sends that the broker has taken off the wire, as its answer to a later one shows:
   * they are with their queues, and keep no place from others.
   *
   * @param late which sends are late
   * @param removed told each removed send in order
   */
  void forgetLate(Predicate<Send> late, Consumer<Send> removed) {
    for (long sequence = oldest; sequence < Math.min(next, highestAnswered); sequence++) {
      Send send = slots[index(sequence)];
      if (send != null && late.test(send)) {
        remove(sequence, removed);
      }
    }
    advance();
  }

  /** Removes all, told in order. */
  void takeAll(Consumer<Send> taken) {
    if (!isEmpty()) {
      take(next - 1, true, taken);
    }
  }

  void forEach(Consumer<Send> action) {
    for (long sequence = oldest; sequence < next; sequence++) {
      Send send = slots[index(sequence)];
      if (send != null) {
        action.accept(send);
      }
    }
  }

  /** The broker could not route a message; its acknowledgement follows. */
  void returned(Return returned) {
    String eventId = returned.getProperties().getMessageId();
    List<Send> candidates = new ArrayList<>(1);
    forEach(
        send -> {
          if (send.canBeReturned() && send.message().eventId().equals(eventId)) {
            candidates.add(send);
          }
        });
    if (candidates.size() == 1) {
      Send send = candidates.get(0);
      send.returned(Outcomes.unroutable(send, returned));
    } else {
      candidates.forEach(Send::doubt);
    }
  }

  /** The only send of this channel that the broker has not answered, if there is exactly one. */
  @Nullable Send single() {
    List<Send> all = all();
    return all.size() == 1 ? all.get(0) : null;
  }

  List<Send> all() {
    List<Send> all = new ArrayList<>();
    forEach(all::add);
    return all;
  }

  private void remove(long sequence, Consumer<Send> taken) {
    Send send = slots[index(sequence)];
    if (send != null) {
      slots[index(sequence)] = null;
      taken.accept(send);
    }
  }

  private int index(long sequence) {
    return (int) (sequence & (slots.length - 1));
  }
}
