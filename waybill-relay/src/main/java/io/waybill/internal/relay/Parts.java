package io.waybill.internal.relay;

import io.waybill.internal.relay.SettleBuffer.Batch;
import io.waybill.store.FailedRow;
import io.waybill.store.OutboxRow;
import io.waybill.store.RowRef;
import io.waybill.store.Settlement;
import io.waybill.store.Settlement.HandledRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Takes batches apart by their rows. */
final class Parts {
  private Parts() {}

  /** Two parts of one batch, each with at least one change, or with one answer. */
  static List<Batch> halves(Batch batch) {
    List<RowRef> rows = new ArrayList<>(rows(batch.settlement()));
    if (rows.isEmpty()) {
      return halvesOfAnswers(batch);
    }
    Set<RowRef> first = new HashSet<>(rows.subList(0, Math.max(1, rows.size() / 2)));
    return List.of(of(batch, first), without(batch, first));
  }

  /** A replay waits for its answer, and its lane with it. */
  private static List<Batch> halvesOfAnswers(Batch batch) {
    List<HandledRequest> answers = batch.settlement().handled();
    List<HandledRequest> first = answers.subList(0, answers.size() / 2);
    List<HandledRequest> second = answers.subList(first.size(), answers.size());
    Set<Object> ids = second.stream().map(HandledRequest::rowId).collect(Collectors.toSet());
    Predicate<Entry> ofSecond = entry -> ids.contains(entry.row.rowId());
    List<Entry> all = batch.entries();
    return List.of(
        changingNothing(first, List.of(), all.stream().filter(ofSecond.negate()).toList()),
        changingNothing(second, List.of(), all.stream().filter(ofSecond).toList()));
  }

  /** What is to be changed, and apart from it what only shows why rows wait. */
  static List<Batch> changesAndNotes(Batch batch) {
    Settlement all = batch.settlement();
    return apart(batch, all.handled(), List.of(), List.of(), all.noted());
  }

  /** What is to be changed, and apart from it the answers to operators. */
  static List<Batch> changeAndAnswers(Batch batch) {
    Settlement all = batch.settlement();
    return apart(batch, List.of(), all.noted(), all.handled(), List.of());
  }

  private static List<Batch> apart(
      Batch batch,
      List<HandledRequest> answers,
      List<FailedRow> notes,
      List<HandledRequest> answersApart,
      List<FailedRow> notesApart) {
    Settlement all = batch.settlement();
    return List.of(
        new Batch(
            new Settlement(
                all.published(),
                all.recovered(),
                all.failed(),
                all.held(),
                answers,
                all.forgotten(),
                all.setAside(),
                notes),
            batch.entries()),
        changingNothing(answersApart, notesApart, List.of()));
  }

  private static Batch changingNothing(
      List<HandledRequest> answers, List<FailedRow> notes, List<Entry> entries) {
    List<OutboxRow> none = List.of();
    return new Batch(
        new Settlement(none, none, List.of(), none, answers, List.of(), List.of(), notes), entries);
  }

  /** Whether it only shows why rows wait. */
  static boolean isNote(Batch batch) {
    Settlement settlement = batch.settlement();
    return batch.entries().isEmpty() && settlement.size() == settlement.noted().size();
  }

  /** Whether there is more than one change, or answer, to tell apart. */
  static boolean divides(Batch batch) {
    Set<RowRef> rows = rows(batch.settlement());
    return switch (rows.size()) {
      case 0 -> batch.settlement().handled().size() > 1;
      case 1 -> !without(batch, rows).settlement().handled().isEmpty();
      default -> true;
    };
  }

  /** Whether it says something to operators and changes something. */
  static boolean changesAndAnswers(Batch batch) {
    return !batch.settlement().handled().isEmpty() && !onlyAnswers(batch);
  }

  /** Whether it changes nothing. */
  static boolean onlyAnswers(Batch batch) {
    Settlement settlement = batch.settlement();
    return batch.entries().isEmpty() && settlement.size() == settlement.handled().size();
  }

  /** Batches that name each id once: ids may have begun again since a row was read. */
  static List<Batch> byId(Batch batch) {
    if (namesEachOnce(batch.settlement())) {
      return List.of(batch);
    }
    Set<Object> ids = new HashSet<>();
    Set<RowRef> again = new HashSet<>();
    for (RowRef row : rows(batch.settlement())) {
      if (!ids.add(row.rowId())) {
        again.add(row);
      }
    }
    if (again.isEmpty()) {
      return List.of(batch);
    }
    List<Batch> batches = new ArrayList<>();
    batches.add(without(batch, again));
    batches.addAll(byId(of(batch, again)));
    return batches;
  }

  // Nearly always so: every row that is published comes by here.
  private static boolean namesEachOnce(Settlement settlement) {
    int rows = settlement.size() - settlement.handled().size() - settlement.noted().size();
    Set<Object> ids = new HashSet<>(2 * rows);
    settlement.published().forEach(row -> ids.add(row.rowId()));
    settlement.recovered().forEach(row -> ids.add(row.rowId()));
    settlement.failed().forEach(row -> ids.add(row.row().rowId()));
    settlement.held().forEach(row -> ids.add(row.rowId()));
    settlement.forgotten().forEach(row -> ids.add(row.rowId()));
    settlement.setAside().forEach(row -> ids.add(row.row().rowId()));
    return ids.size() == rows;
  }

  /**
   * Batches with so many rows at most that fail or wait, each of which may take a statement of its
   * own. What was published is in the first.
   */
  static List<Batch> byWaiting(Batch batch, int most) {
    List<RowRef> waiting = waiting(batch);
    if (waiting.size() <= most) {
      return List.of(batch);
    }
    Set<RowRef> later = new HashSet<>(waiting.subList(most, waiting.size()));
    List<Batch> batches = new ArrayList<>();
    batches.add(without(batch, later));
    for (int from = most; from < waiting.size(); from += most) {
      int until = Math.min(from + most, waiting.size());
      Set<RowRef> these = new HashSet<>(waiting.subList(from, until));
      batches.add(of(batch, these));
    }
    return batches;
  }

  /** Rows that fail or wait. */
  static List<RowRef> waiting(Batch batch) {
    return Stream.concat(
            batch.settlement().failed().stream().map(FailedRow::row),
            batch.settlement().held().stream())
        .map(OutboxRow::ref)
        .toList();
  }

  /** What is about some rows: changes, notes and answers to operators. */
  static Batch of(Batch batch, Set<RowRef> rows) {
    return part(batch, rows, true);
  }

  /** What is left without some rows. */
  static Batch without(Batch batch, Set<RowRef> rows) {
    return part(batch, rows, false);
  }

  /** What waits for a change waits for the newer one that replaces it. */
  static Batch with(Batch newer, List<Batch> replaced) {
    Settlement all = newer.settlement();
    List<Entry> entries = new ArrayList<>(newer.entries());
    List<HandledRequest> answers = new ArrayList<>(all.handled());
    for (Batch batch : replaced) {
      entries.addAll(batch.entries());
      answers.addAll(batch.settlement().handled());
    }
    return new Batch(
        new Settlement(
            all.published(),
            all.recovered(),
            all.failed(),
            all.held(),
            answers,
            all.forgotten(),
            all.setAside(),
            all.noted()),
        entries);
  }

  /** The rows that a settlement changes or notes, in order. */
  static Set<RowRef> rows(Settlement settlement) {
    Set<RowRef> rows = changed(settlement);
    settlement.noted().forEach(row -> rows.add(row.row().ref()));
    return rows;
  }

  /** The rows of which a settlement says something that holds until it says something else. */
  static Set<RowRef> changed(Settlement settlement) {
    Set<RowRef> rows = new LinkedHashSet<>();
    settlement.published().forEach(row -> rows.add(row.ref()));
    settlement.recovered().forEach(row -> rows.add(row.ref()));
    settlement.failed().forEach(row -> rows.add(row.row().ref()));
    settlement.held().forEach(row -> rows.add(row.ref()));
    rows.addAll(settlement.forgotten());
    settlement.setAside().forEach(row -> rows.add(row.row().ref()));
    return rows;
  }

  private static Batch part(Batch batch, Set<RowRef> rows, boolean wanted) {
    Predicate<RowRef> ref = one -> rows.contains(one) == wanted;
    Predicate<OutboxRow> row = one -> ref.test(one.ref());
    Predicate<FailedRow> failed = one -> row.test(one.row());
    Settlement all = batch.settlement();
    Set<Object> ids =
        all.handled().isEmpty()
            ? Set.of()
            : rows.stream().map(RowRef::rowId).collect(Collectors.toSet());
    Settlement part =
        new Settlement(
            all.published().stream().filter(row).toList(),
            all.recovered().stream().filter(row).toList(),
            all.failed().stream().filter(failed).toList(),
            all.held().stream().filter(row).toList(),
            all.handled().stream().filter(one -> ids.contains(one.rowId()) == wanted).toList(),
            all.forgotten().stream().filter(ref).toList(),
            all.setAside().stream().filter(failed).toList(),
            all.noted().stream().filter(failed).toList());
    return new Batch(part, batch.entries().stream().filter(entry -> row.test(entry.row)).toList());
  }
}
