package io.waybill.server.command;

import io.waybill.admin.Admin;
import io.waybill.admin.AuditEntry;
import io.waybill.broker.DeadLetterReader;
import io.waybill.broker.Delivery;
import io.waybill.encode.DeadLetter;
import io.waybill.encode.DeadLetterDecoder;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

/** The dead letters that a filter means, and which of them were sent again before. */
final class DltLetters {
  static final String VERB = "REDRIVE";
  private static final int PAGE = 500;

  private final DeadLetterReader reader;
  private final Set<String> redriven;

  private DltLetters(DeadLetterReader reader, Set<String> redriven) {
    this.reader = reader;
    this.redriven = redriven;
  }

  /** Only a log needs to know what was sent again before: a queue has it no more. */
  static DltLetters of(DeadLetterReader reader, Admin admin, String name) {
    return new DltLetters(reader, reader.keeps() ? redriven(admin, name) : Set.of());
  }

  private static Set<String> redriven(Admin admin, String name) {
    Set<String> places = new HashSet<>();
    long before = Long.MAX_VALUE;
    List<AuditEntry> page;
    do {
      page = admin.audit(before, PAGE);
      for (AuditEntry entry : page) {
        String note = entry.note();
        boolean ours = entry.verb().equals(VERB) && name.equals(entry.destination());
        if (ours && note != null && Boolean.TRUE.equals(entry.done())) {
          places.add(note);
        }
      }
      before = page.isEmpty() ? before : page.get(page.size() - 1).id();
    } while (page.size() == PAGE);
    return places;
  }

  boolean wasRedriven(DeadLetter letter) {
    return redriven.contains(letter.place());
  }

  /** The first ones in their order, as many as the limit allows. */
  List<DeadLetter> find(DltFilter filter, boolean withRedriven) {
    DeadLetterDecoder decoder = new DeadLetterDecoder();
    NavigableSet<Found> first = new TreeSet<>(order());
    int limit = filter.limit();
    long read = 0;
    List<Delivery> page = reader.next();
    while (!page.isEmpty() && !(reader.keeps() && first.size() == limit)) {
      for (Delivery delivery : page) {
        DeadLetter letter = decoder.decode(delivery);
        if ((withRedriven || !wasRedriven(letter)) && filter.matches(letter)) {
          first.add(new Found(letter, read++));
        }
        if (first.size() > limit) {
          first.pollLast();
        }
      }
      page = reader.next();
    }
    return first.stream().map(Found::letter).toList();
  }

  private record Found(DeadLetter letter, long number) {}

  /**
   * A log is in order. What a queue was given back may lie in any: a quorum queue takes what a
   * reader held when its connection ended as it comes.
   */
  private Comparator<Found> order() {
    Comparator<Found> read = Comparator.comparingLong(Found::number);
    return reader.keeps()
        ? read
        : Comparator.comparing((Found found) -> found.letter().time()).thenComparing(read);
  }
}
