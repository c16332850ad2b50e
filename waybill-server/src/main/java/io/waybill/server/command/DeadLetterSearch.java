package io.waybill.server.command;

import io.waybill.admin.Admin;
import io.waybill.admin.AuditEntry;
import io.waybill.admin.AuditNote;
import io.waybill.broker.DeadLetterReader;
import io.waybill.broker.Delivery;
import io.waybill.internal.encode.DeadLetter;
import io.waybill.internal.encode.DeadLetterDecoder;
import io.waybill.server.terminal.CommandFailure;
import io.waybill.server.terminal.ExitCode;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The dead letters that a filter means, and which of them were sent again before. */
final class DeadLetterSearch {
  static final String VERB = "REDRIVE";

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
   * What was found.
   *
   * @param letters the first ones in their order, as many as the limit allows
   * @param more whether there are more
   */
  record Found(List<DeadLetter> letters, boolean more) {}

  private record Numbered(DeadLetter letter, long number) {}

  DeadLetterSearch(DeadLetterReader reader, Admin admin, String name) {
    this.reader = reader;
    this.admin = admin;
    this.name = name;
  }

  /** Whether a letter that was found lies in a topic and was sent again before. */
  boolean wasRedriven(DeadLetter letter) {
    return sent.contains(Sent.of(letter));
  }

  Found find(DeadLetterFilter filter, boolean withRedriven) {
    NavigableSet<Numbered> first = new TreeSet<>(order());
    int limit = filter.limit();
    long read = 0;
    refuseHazard(filter);
    List<Delivery> page = reader.next();
    // One beyond the limit tells that there are more.
    while (!page.isEmpty() && !(reader.keeps() && first.size() > limit)) {
      refuseHazard(filter);
      for (DeadLetter letter : matching(page, filter)) {
        if (withRedriven || !wasRedriven(letter)) {
          first.add(new Numbered(letter, read++));
        }
        if (first.size() > limit + 1) {
          first.pollLast();
        }
      }
      page = reader.next();
    }
    return new Found(
        first.stream().limit(limit).map(Numbered::letter).toList(), first.size() > limit);
  }

  private void refuseHazard(DeadLetterFilter filter) {
    if (!filter.despiteLimit()) {
      reader
          .hazard()
          .ifPresent(
              hazard -> {
                throw new CommandFailure(
                    ExitCode.FINDINGS,
                    hazard + ". Nothing was done; add --despite-limit to do it anyway");
              });
    }
  }

  private List<DeadLetter> matching(List<Delivery> page, DeadLetterFilter filter) {
    List<DeadLetter> letters = page.stream().map(decoder::decode).filter(filter::matches).toList();
    // Only a log needs to know what was sent again before: a queue has it no more.
    if (reader.keeps() && !letters.isEmpty()) {
      List<String> places = letters.stream().map(DeadLetter::place).toList();
      for (AuditEntry entry : admin.carriedOut(VERB, name, places)) {
        sent.add(new Sent(String.valueOf(entry.note()), entry.eventId()));
      }
    }
    return letters;
  }

  /**
   * A log is in order. What a queue was given back may lie in any: a quorum queue takes what a
   * reader held when its connection ended as it comes.
   */
  private Comparator<Numbered> order() {
    Comparator<Numbered> read = Comparator.comparingLong(Numbered::number);
    return reader.keeps()
        ? read
        : Comparator.comparing((Numbered found) -> found.letter().time()).thenComparing(read);
  }
}
