package io.waybill.server.command;

import io.waybill.admin.Admin;
import io.waybill.admin.AuditEntry;
import io.waybill.broker.DeadLetterReader;
import io.waybill.broker.Delivery;
import io.waybill.encode.DeadLetter;
import io.waybill.encode.DeadLetterDecoder;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

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

  /** In the order of their places, as many as the limit allows. */
  List<DeadLetter> find(DltFilter filter, boolean withRedriven) {
    DeadLetterDecoder decoder = new DeadLetterDecoder();
    List<DeadLetter> found = new ArrayList<>();
    int limit = filter.limit();
    List<Delivery> page = reader.next();
    while (!page.isEmpty() && found.size() < limit) {
      for (Delivery delivery : page) {
        DeadLetter letter = decoder.decode(delivery);
        boolean wanted = withRedriven || !wasRedriven(letter);
        if (wanted && found.size() < limit && filter.matches(letter)) {
          found.add(letter);
        }
      }
      page = reader.next();
    }
    return found;
  }
}
