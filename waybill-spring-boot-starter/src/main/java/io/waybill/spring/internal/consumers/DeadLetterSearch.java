package io.waybill.spring.internal.consumers;

import io.waybill.admin.Admin;
import io.waybill.admin.AuditEntry;
import io.waybill.admin.AuditNote;
import io.waybill.broker.DeadLetterReader;
import io.waybill.broker.Delivery;
import io.waybill.internal.encode.DeadLetter;
import io.waybill.internal.encode.DeadLetterDecoder;
import io.waybill.internal.jdbc.operator.Job;
import io.waybill.internal.jdbc.operator.JobLetters;
import io.waybill.internal.jdbc.operator.JobLetters.Letter;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The dead letters that a filter means, and which of them were sent again before. */
public final class DeadLetterSearch {
  private final DeadLetterReader reader;
  private final Admin admin;
  private final String name;
  private final DeadLetterDecoder decoder = new DeadLetterDecoder();
  private final Set<Sent> sent = new HashSet<>();

  /** A topic that was made anew has other events at the same places. */
  private record Sent(String place, @Nullable String eventId) {
    static Sent of(DeadLetter letter) {
      String id = letter.eventId();
      return new Sent(letter.place(), id == null ? null : AuditNote.kept(id));
    }
  }

  /**
   * How far a search goes.
   *
   * @param limit most letters that are found
   * @param withRedriven whether letters of a topic that were sent again before are meant too
   * @param despiteLimit whether to look though the broker may drop letters for it
   * @param mostRead most letters that are read
   * @param time how long it may take, or null for as long as it takes
   */
  public record Bounds(
      int limit,
      boolean withRedriven,
      boolean despiteLimit,
      int mostRead,
      @Nullable Duration time) {}

  /**
   * What was found.
   *
   * @param letters the first ones in their order, as many as the limit allows
   * @param more whether there are more, or may be
   * @param reached place in a topic behind which a search for more begins; null without more, and
   *     of a queue
   */
  public record Found<T>(List<T> letters, boolean more, @Nullable String reached) {}

  private record Numbered<T>(T letter, String place, Instant time, long number) {}

  /**
   * Searches the letters of a reader, once.
   *
   * @param reader of one topic or queue
   * @param admin knows what was sent again before
   * @param name of the topic or queue
   */
  public DeadLetterSearch(DeadLetterReader reader, Admin admin, String name) {
    this.reader = reader;
    this.admin = admin;
    this.name = name;
  }

  /** Whether a letter that was found lies in a topic and was sent again before. */
  public boolean wasRedriven(DeadLetter letter) {
    return sent.contains(Sent.of(letter));
  }

  /**
   * Searches.
   *
   * @param view makes of a letter what is kept of it
   * @throws LookRefusedException if the broker may drop letters that are looked at
   */
  public <T> Found<T> find(DeadLetterFilter filter, Bounds bounds, Function<DeadLetter, T> view) {
    NavigableSet<Numbered<T>> first = new TreeSet<>(order());
    int limit = bounds.limit();
    long begun = System.nanoTime();
    int read = 0;
    long number = 0;
    String last = null;
    boolean within = true;
    LookRefusedException.refuse(reader, bounds.despiteLimit());
    List<Delivery> page = reader.next();
    while (!page.isEmpty()) {
      LookRefusedException.refuse(reader, bounds.despiteLimit());
      for (DeadLetter letter : matching(page, filter)) {
        if (bounds.withRedriven() || !wasRedriven(letter)) {
          T kept = view.apply(letter);
          first.add(new Numbered<>(kept, letter.place(), letter.time(), number++));
        }
        if (first.size() > limit + 1) {
          first.pollLast();
        }
      }
      read += page.size();
      Delivery end = page.get(page.size() - 1);
      last = end.lane() + "@" + end.position();
      within = read < bounds.mostRead() && isInTime(bounds, begun);
      // One beyond the limit tells that there are more.
      boolean enough = reader.keeps() && first.size() > limit;
      page = within && !enough ? reader.next() : List.of();
    }
    List<Numbered<T>> found = first.stream().limit(limit).toList();
    boolean full = first.size() > limit;
    String reached = full ? found.get(limit - 1).place() : within ? null : last;
    return new Found<>(
        found.stream().map(Numbered::letter).toList(),
        full || !within,
        reader.keeps() ? reached : null);
  }

  /** As {@link #find}: letters as a job keeps them, each for the consumer that it names. */
  public Found<Letter> letters(DeadLetterFilter filter, Bounds bounds) {
    return find(filter, bounds, this::letter);
  }

  /** A letter as a job keeps it. */
  public Letter letter(DeadLetter letter) {
    return new Letter(
        0,
        Redrive.eventId(letter),
        LetterPlace.of(letter, reader.keeps()),
        letter.consumer(),
        letter.redriven() + 1);
  }

  private static boolean isInTime(Bounds bounds, long begun) {
    Duration time = bounds.time();
    return time == null || System.nanoTime() - begun < time.toNanos();
  }

  private List<DeadLetter> matching(List<Delivery> page, DeadLetterFilter filter) {
    List<DeadLetter> letters = page.stream().map(decoder::decode).filter(filter::matches).toList();
    // Only a log needs to know what was sent again before: a queue has it no more.
    if (reader.keeps() && !letters.isEmpty()) {
      List<String> places = letters.stream().map(DeadLetter::place).toList();
      List<String> ids = letters.stream().map(Redrive::eventId).toList();
      for (AuditEntry entry : admin.carriedOut(Job.REDRIVE, name, JobLetters.known(ids), places)) {
        sent.add(new Sent(String.valueOf(entry.note()), entry.eventId()));
      }
    }
    return letters;
  }

  /**
   * A log is in order. What a queue was given back may lie in any: a quorum queue takes what a
   * reader held when its connection ended as it comes.
   */
  private <T> Comparator<Numbered<T>> order() {
    Comparator<Numbered<T>> read = Comparator.comparingLong(Numbered::number);
    return reader.keeps()
        ? read
        : Comparator.comparing((Numbered<T> found) -> found.time()).thenComparing(read);
  }
}
