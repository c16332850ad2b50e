package io.waybill.spring.internal.consumers;

import io.waybill.broker.ConsumableBroker;
import io.waybill.broker.DeadLetterAccessException;
import io.waybill.broker.DeadLetterReader;
import io.waybill.broker.Delivery;
import io.waybill.internal.encode.DeadLetter;
import io.waybill.internal.encode.DeadLetterDecoder;
import io.waybill.internal.jdbc.operator.JobLetters;
import io.waybill.internal.jdbc.operator.JobLetters.Letter;
import io.waybill.message.Transport;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the letters of a job again, a piece of them at a time. A queue lends what was read to
 * nobody else until its reader is closed, and takes it back after half an hour: no piece is held
 * for longer than five minutes. Used by one thread.
 */
final class PlannedLetters implements AutoCloseable {
  private static final int PIECE = 200;
  private static final long HELD_NANOS = Duration.ofMinutes(5).toNanos();

  private final ConsumableBroker broker;
  private final JobLetters job;
  private final String name;
  private final Returned returned;
  private final boolean keeps;
  private final DeadLetterDecoder decoder = new DeadLetterDecoder();
  private final Map<String, Deque<DeadLetter>> found = new HashMap<>();
  // Of a queue, while it lends what was found.
  private @Nullable DeadLetterReader lender;
  private int until;
  private long readAt;

  PlannedLetters(ConsumableBroker broker, JobLetters job, String name, Returned returned) {
    this.broker = broker;
    this.job = job;
    this.name = name;
    this.returned = returned;
    this.keeps = broker.transport() == Transport.KAFKA;
  }

  /** A letter that was planned, or null if it is not there. */
  @Nullable DeadLetter find(Letter letter) {
    release();
    if (letter.number() > until) {
      close();
      read(job.next(PIECE));
    }
    Deque<DeadLetter> copies = found.get(letter.place());
    DeadLetter copy = copies == null ? null : copies.poll();
    boolean same = copy != null && Redrive.eventId(copy).equals(letter.eventId());
    return same ? copy : null;
  }

  /** Gives back what was held for long, or what is not needed any more. */
  void release() {
    boolean held = lender != null && System.nanoTime() - readAt > HELD_NANOS;
    if (held) {
      close();
    }
  }

  private void read(List<Letter> piece) {
    Map<String, Integer> wanted = new HashMap<>();
    int missing = piece.size();
    Map<String, Long> from = new HashMap<>();
    for (Letter each : piece) {
      wanted.merge(each.place(), 1, Integer::sum);
      if (keeps) {
        int at = each.place().lastIndexOf('@');
        long position = Long.parseLong(each.place().substring(at + 1));
        from.merge(each.place().substring(0, at), position, Math::min);
      }
      until = Math.max(until, each.number());
    }
    DeadLetterReader reader = broker.deadLettersFrom(name, from);
    lender = reader;
    readAt = System.nanoTime();
    List<Delivery> page = next(reader);
    while (!page.isEmpty() && missing > 0) {
      for (Delivery each : page) {
        DeadLetter letter = decoder.decode(each);
        returned.saw(letter);
        String place = LetterPlace.of(letter, keeps);
        int left = wanted.getOrDefault(place, 0);
        if (left > 0) {
          wanted.put(place, left - 1);
          found.computeIfAbsent(place, any -> new ArrayDeque<>()).add(letter);
          missing--;
        } else {
          returned.removeIfSent(reader, letter);
        }
      }
      page = missing > 0 ? next(reader) : List.of();
    }
    if (keeps) {
      reader.close();
      lender = null;
    }
  }

  private List<Delivery> next(DeadLetterReader reader) {
    job.keep(System.nanoTime());
    LookRefusedException.refuse(reader, job.job().despiteLimit());
    return reader.next();
  }

  /**
   * Removes a letter that was sent from its queue. Where the broker has taken it back meanwhile,
   * the next look at the queue does.
   */
  void remove(DeadLetter letter) {
    DeadLetterReader reader = lender;
    if (reader != null) {
      try {
        reader.remove(letter.delivery());
      } catch (DeadLetterAccessException e) {
        close();
      }
    }
  }

  /** Gives everything back. */
  @Override
  public void close() {
    DeadLetterReader reader = lender;
    lender = null;
    until = 0;
    found.clear();
    if (reader != null) {
      reader.close();
    }
  }
}
