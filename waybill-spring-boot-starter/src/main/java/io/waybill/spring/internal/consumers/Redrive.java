package io.waybill.spring.internal.consumers;

import io.waybill.admin.AuditNote;
import io.waybill.broker.Broker;
import io.waybill.broker.ConsumableBroker;
import io.waybill.internal.encode.DeadLetter;
import io.waybill.internal.jdbc.operator.EventOutcome;
import io.waybill.internal.jdbc.operator.EventOutcome.Kind;
import io.waybill.internal.jdbc.operator.Job;
import io.waybill.internal.jdbc.operator.JobLetters;
import io.waybill.internal.jdbc.operator.JobLetters.Letter;
import io.waybill.internal.jdbc.operator.JobLetters.Sent;
import io.waybill.internal.jdbc.operator.JobRun;
import io.waybill.internal.jdbc.operator.RunningJob;
import io.waybill.message.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Sends the dead letters of a job to where they came from, one after the other: the next is sent
 * when the one before is confirmed, so that keys keep their order, and nothing more after a
 * failure. Used by one thread.
 *
 * <p>A letter was applied if its consumer notes it as processed and it does not lie among the dead
 * letters again, in that order: an inbox notes what it gives up as well, after its letter.
 */
public final class Redrive implements JobRun.Events {
  private static final Duration AWAITED = Duration.ofSeconds(5);
  private static final long LOOK_NANOS = Duration.ofMillis(250).toNanos();
  // A look at a topic takes half a second, and the time between looks is a multiple of that.
  private static final int REST = 3;
  // Outcomes come late, and what is sent meanwhile may come back as well.
  private static final int MOST_OPEN = 200;

  private final JobLetters job;
  private final String name;
  private final Returned returned;
  private final PlannedLetters planned;
  private final LetterSender sender;
  private final boolean keeps;
  private long lookAt = System.nanoTime();
  private long readAt = System.nanoTime();

  private Redrive(JobLetters job, ConsumableBroker broker, String source) {
    this.job = job;
    this.name = DeadLetter.nameOf(source);
    this.returned = new Returned(broker, job, name);
    this.planned = new PlannedLetters(broker, job, name, returned);
    this.sender = new LetterSender(broker);
    this.keeps = broker.transport() == Transport.KAFKA;
  }

  /**
   * Who asks for the events of a job: relays for those of the outbox, this process for dead
   * letters.
   *
   * @param job a job that this process has taken
   * @param broker the broker of its outbox
   * @return to be closed
   */
  public static JobRun.Events events(RunningJob job, Supplier<Broker> broker) {
    String source = job.job().source();
    if (source == null) {
      return job;
    }
    if (!(broker.get() instanceof ConsumableBroker consumable)) {
      throw new IllegalStateException("The broker of this outbox gives no messages");
    }
    return new Redrive(job.letters(), consumable, source);
  }

  /** As tables and the audit keep it; empty if the letter names none. */
  static String eventId(DeadLetter letter) {
    String id = letter.eventId();
    return id == null ? "" : AuditNote.kept(id);
  }

  @Override
  public int mostOpen() {
    return MOST_OPEN;
  }

  @Override
  public String needed() {
    return "the consumer has to run, and to get through what lies before them";
  }

  @Override
  public JobRun.Asked ask(int number) {
    List<Letter> next = job.next(number);
    Set<String> others = keeps ? job.sentByOthers(name, next) : Set.of();
    List<Integer> sent = new ArrayList<>();
    int skipped = 0;
    for (Letter each : next) {
      // First, so that a job that is paused or elsewhere reads nothing.
      job.claim();
      DeadLetter letter = planned.find(each);
      String hindrance = hindrance(each, letter, others);
      if (letter == null || hindrance != null) {
        job.skipped(each, String.valueOf(hindrance));
        skipped++;
        continue;
      }
      String failure = send(each, letter);
      if (failure != null) {
        return new JobRun.Asked(sent, skipped, false, each.eventId() + ": " + failure);
      }
      sent.add(each.number());
    }
    boolean last = next.size() < number;
    if (last) {
      planned.close();
    }
    return new JobRun.Asked(sent, skipped, last);
  }

  private static @Nullable String hindrance(
      Letter planned, @Nullable DeadLetter letter, Set<String> others) {
    if (others.contains(planned.place())) {
      return "it was sent again since this was planned";
    }
    return letter == null
        ? "it is not there: sent again, removed, or held by another reader of its queue"
        : LetterSender.hindrance(letter, planned.consumer());
  }

  private @Nullable String send(Letter planned, DeadLetter letter) {
    DeadLetter.Original original = letter.original();
    String consumer = planned.consumer();
    if (original == null || consumer == null) {
      throw new IllegalStateException("A dead letter that nothing hinders has an original");
    }
    String failure = sender.send(letter, original, consumer);
    String place = letter.place();
    String said = failure == null ? place : place + ": " + failure;
    AuditNote note = new AuditNote(Job.REDRIVE, letter.eventId(), name, failure == null, said);
    if (failure != null) {
      job.refused(planned, note, failure);
      return failure;
    }
    job.sent(planned, note);
    // After the record: a process that ends between them leaves a copy that the next one removes.
    this.planned.remove(letter);
    return null;
  }

  @Override
  public Map<Integer, EventOutcome> outcomes(long now) {
    job.keep(System.nanoTime());
    planned.release();
    if (job.open() == 0 || System.nanoTime() - lookAt < 0) {
      return Map.of();
    }
    long begun = System.nanoTime();
    Map<Integer, EventOutcome> outcomes = judge(job.sent());
    job.settle(outcomes);
    lookAt = System.nanoTime() + Math.max(LOOK_NANOS, REST * (System.nanoTime() - begun));
    return outcomes;
  }

  private Map<Integer, EventOutcome> judge(List<Sent> open) {
    Map<String, Optional<Set<String>>> noted = noted(open);
    Map<Integer, EventOutcome> ready = new HashMap<>();
    for (Sent each : open) {
      String consumer = String.valueOf(each.letter().consumer());
      String id = each.letter().sentId();
      Set<String> processed = noted.getOrDefault(consumer, Optional.empty()).orElse(null);
      if (processed != null && id != null && processed.contains(id)) {
        ready.put(each.letter().number(), new EventOutcome(Kind.DONE, null, null));
      } else if ((processed == null || id == null) && each.ago().compareTo(AWAITED) >= 0) {
        ready.put(each.letter().number(), unclear(consumer, id));
      }
    }
    boolean late = System.nanoTime() - readAt > AWAITED.toNanos();
    if (!ready.isEmpty() || late) {
      returned.look();
      readAt = System.nanoTime();
    }
    Map<Integer, EventOutcome> outcomes = new TreeMap<>(ready);
    for (Sent each : open) {
      Returned.Why why = returned.why(each.letter());
      if (why != null) {
        EventOutcome failed = new EventOutcome(Kind.FAILED, why.reason(), why.error());
        outcomes.put(each.letter().number(), failed);
      }
    }
    return outcomes;
  }

  private Map<String, Optional<Set<String>>> noted(List<Sent> open) {
    Map<String, List<String>> ids =
        open.stream()
            .map(Sent::letter)
            .filter(letter -> letter.sentId() != null)
            .collect(
                Collectors.groupingBy(
                    letter -> String.valueOf(letter.consumer()),
                    Collectors.mapping(
                        letter -> String.valueOf(letter.sentId()), Collectors.toList())));
    Map<String, Optional<Set<String>>> noted = new HashMap<>();
    ids.forEach((consumer, some) -> noted.put(consumer, job.processed(consumer, some)));
    return noted;
  }

  private static EventOutcome unclear(String consumer, @Nullable String id) {
    String why =
        id == null
            ? "it names no event that an inbox could note"
            : "no inbox of " + consumer + " has its tables in the schema of this outbox";
    return new EventOutcome(
        Kind.UNCLEAR,
        why,
        "it was sent and did not come back within %d s".formatted(AWAITED.toSeconds()));
  }

  @Override
  public void close() {
    try {
      planned.close();
    } finally {
      sender.close();
    }
  }
}
