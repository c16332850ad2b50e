package io.waybill.internal.inbox.shell;

import io.waybill.broker.Reach;
import io.waybill.broker.Subscriber;
import io.waybill.internal.inbox.HistoryEngine;
import io.waybill.internal.inbox.HistoryStep;
import io.waybill.internal.inbox.InboxInput;
import io.waybill.internal.inbox.ReceivedMessage;
import io.waybill.internal.inbox.attempt.HandlerCall;
import io.waybill.internal.store.ErrorText;
import io.waybill.internal.work.Mailbox;
import io.waybill.internal.work.Ticker;
import io.waybill.internal.work.Worker;
import io.waybill.observe.InboxEvent;
import io.waybill.store.InboxStore;
import io.waybill.store.RecordedProgress;
import io.waybill.store.RecordedProgress.Place;
import io.waybill.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the database is still the one that has what was acknowledged. Notes in it how far lanes
 * are; after an outage, and when a lane is new here, compares what it has with what was read. What
 * another server lacks is read again, and what can't be is told. A thread of its own, which alone
 * goes from one server to another.
 */
final class HistoryCheck implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(HandlerCall.LOGGER);
  // So much is read again after a planned switch-over, too.
  private static final long NOTE_NANOS = Duration.ofSeconds(1).toNanos();
  private static final long PAUSE_NANOS = Duration.ofMillis(250).toNanos();
  // What was on its way when the server was found is acknowledged by then.
  private static final long SETTLED_NANOS = Duration.ofSeconds(2).toNanos();
  private static final int REMEMBERED = 20_000;
  private static final int BLOCK = 500;

  /** What the watch works on. */
  record Setup(
      String inbox,
      InboxStore store,
      Subscriber subscriber,
      Revocations revocations,
      Consumer<InboxInput> engine,
      Consumer<InboxEvent> told) {}

  /** What was looked for, and what of it is not there. */
  private record Losses(int remembered, List<String> lost) {}

  /** A change of servers whose losses are still to be told. */
  private record Change(String from, String to, long at) {}

  private final Setup setup;
  private final Ticker ticker;
  private final boolean tells;
  private final HistoryEngine history;
  private final Recent recent = new Recent(REMEMBERED);
  private final Mailbox<Boolean> wakes = new Mailbox<>();
  private final Worker worker;
  private volatile boolean doubt;
  private volatile @Nullable String problem;
  private volatile @Nullable String lossProblem;
  private volatile long lossSince;
  private @Nullable Change change;
  private long next;

  HistoryCheck(Setup setup, Ticker ticker) {
    this.setup = setup;
    this.ticker = ticker;
    this.tells = !setup.store().server().isEmpty();
    this.history = new HistoryEngine(setup.engine(), setup.subscriber().canRewind());
    this.next = ticker.nanos() + NOTE_NANOS;
    this.worker = new Worker("waybill-" + setup.inbox() + "-history", this::turn);
  }

  /** Messages have come. */
  void delivered(List<ReceivedMessage> messages) {
    if (!tells) {
      setup.engine().accept(new InboxInput.Delivered(messages));
    } else if (history.delivered(messages)) {
      wakes.put(true);
    }
  }

  /** Lanes have left. */
  void revoked(Set<String> lanes) {
    history.revoked(lanes);
  }

  /** What was done, and whether the database fails: it may be another one when it answers again. */
  void on(InboxEvent event) {
    if (tells) {
      recent.on(event);
      if (event instanceof InboxEvent.StoreFailed) {
        doubt = true;
        wakes.put(true);
      }
    }
  }

  /** One sentence for an operator; null if there is none. */
  @Nullable String problem() {
    String looking = problem;
    if (looking != null) {
      return looking;
    }
    return ticker.nanos() - lossSince < UnexpectedFailures.CALM.toNanos() ? lossProblem : null;
  }

  private int turn() throws InterruptedException {
    List<Boolean> woken = wakes.take(next - ticker.nanos());
    if (!tells) {
      next = ticker.nanos() + NOTE_NANOS;
      return woken.size();
    }
    boolean wasTime = ticker.nanos() - next >= 0;
    if (problem != null && !wasTime) {
      // Whatever woke it: the database gets some time after a failure.
      return woken.size();
    }
    try {
      if (doubt || history.isWaiting()) {
        look();
      }
      if (wasTime) {
        note();
        tellLate();
      }
      problem = null;
      next = wasTime ? ticker.nanos() + NOTE_NANOS : next;
    } catch (StoreException e) {
      failed(e);
    }
    return woken.size();
  }

  private void failed(StoreException e) {
    doubt = true;
    String reason = ErrorText.reason(e);
    if (problem == null) {
      log.warn(
          "inbox {}: the database's progress could not be read or recorded ({}); newly assigned"
              + " lanes wait until the next check succeeds",
          setup.inbox(),
          reason);
    }
    problem = "the database's progress can't be read: " + reason;
    next = ticker.nanos() + PAUSE_NANOS;
  }

  private void note() {
    Map<String, Long> positions = history.toNote(setup.subscriber().reach());
    if (!positions.isEmpty()) {
      setup.store().note(positions);
      history.noted(positions);
    }
  }

  private void look() {
    doubt = false;
    HistoryEngine.Look look = history.look();
    String before = setup.store().server();
    RecordedProgress found = setup.store().recordedProgress(look.lanes());
    // After the store has refused to go on, so that nothing more of a lane can be done elsewhere.
    Map<String, Reach> reach = setup.subscriber().reach();
    HistoryEngine.Decision decision = history.decide(look, before, found, reach);
    Map<String, Long> back = decision.back();
    boolean reached = back.keySet().stream().anyMatch(look.known()::containsKey);
    boolean changed = !found.server().equals(before);
    Losses losses = changed || reached ? losses() : new Losses(0, List.of());
    decision.steps().forEach(this::carryOut);
    tell(before, found, back, losses);
  }

  private void carryOut(HistoryStep step) {
    switch (step.kind()) {
      case FORGET -> forget((HistoryStep.Forget) step);
      case SEEK_BACK -> setup.subscriber().rewind(((HistoryStep.SeekBack) step).positions());
      case STAND -> setup.store().stand(((HistoryStep.Stand) step).server());
      case NOTE -> setup.store().note(((HistoryStep.Note) step).positions());
      case RELEASE -> history.release(((HistoryStep.Release) step).began());
    }
  }

  private void forget(HistoryStep.Forget forget) {
    history.forget(forget.lanes());
    if (!forget.inEngine().isEmpty()) {
      long number = setup.revocations().begin();
      setup.engine().accept(new InboxInput.Revoked(number, forget.inEngine(), true));
      setup.revocations().await(number, forget.inEngine());
    }
  }

  private void tell(String before, RecordedProgress found, Map<String, Long> back, Losses losses) {
    boolean only = setup.subscriber().isExclusive();
    String from =
        found.places().values().stream()
            .map(Place::server)
            .filter(server -> !server.equals(found.server()))
            .findFirst()
            .filter(server -> only || !back.isEmpty())
            .orElse(before);
    boolean changed = !from.equals(found.server());
    if (only && changed) {
      change = new Change(from, found.server(), ticker.nanos() + SETTLED_NANOS);
    } else if (changed || !back.isEmpty()) {
      setup.told().accept(told(from, found.server(), back, losses, true));
    }
  }

  /** What is gone for good is looked for once everything on its way has been acknowledged. */
  private void tellLate() {
    Change over = change;
    if (over == null || ticker.nanos() - over.at() < 0) {
      return;
    }
    Losses losses = losses();
    change = null;
    if (!losses.lost().isEmpty()) {
      lossSince = ticker.nanos();
      lossProblem =
          "the database is now %s and lacks %d events acknowledged on %s; the log names them"
              .formatted(over.to(), losses.lost().size(), over.from());
    }
    setup.told().accept(told(over.from(), over.to(), Map.of(), losses, false));
  }

  private static InboxEvent told(
      String from, String to, Map<String, Long> back, Losses losses, boolean again) {
    return new InboxEvent.DatabaseChanged(
        from, to, Map.copyOf(back), losses.remembered(), losses.lost(), again);
  }

  /** From the last event back, until enough of them are there. */
  private Losses losses() {
    List<String> lost = new ArrayList<>();
    List<String> ids = List.copyOf(recent.ids());
    for (int from = 0; from < ids.size(); from += BLOCK) {
      int before = lost.size();
      lost.addAll(missing(ids.subList(from, Math.min(ids.size(), from + BLOCK))));
      if (lost.size() == before) {
        break;
      }
    }
    return new Losses(ids.size(), lost);
  }

  private List<String> missing(List<String> ids) {
    List<String> names = new ArrayList<>(ids);
    ids.forEach(id -> names.add(redriven(id)));
    Set<String> found = setup.store().among(names);
    return ids.stream().filter(id -> !found.contains(id) && !found.contains(redriven(id))).toList();
  }

  /** What a copy is known by that an operator has sent again. */
  private static String redriven(String id) {
    return id + " 1";
  }

  @Override
  public void close() {
    worker.close();
  }
}
