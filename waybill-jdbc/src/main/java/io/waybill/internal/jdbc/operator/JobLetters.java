package io.waybill.internal.jdbc.operator;

import io.waybill.admin.AuditEntry;
import io.waybill.admin.AuditNote;
import io.waybill.admin.EventFilter;
import io.waybill.internal.jdbc.kernel.Database.Statements;
import io.waybill.internal.jdbc.operator.JobEventTable.Listed;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The dead letters of a job in the hands of a process. What becomes of each is recorded in one
 * transaction with its entry in the audit. Used by one thread.
 */
public final class JobLetters {
  private final JdbcAdmin admin;
  private final InboxAdmin inboxes;
  private final JobTables tables;
  private final JobLease lease;
  private final Job job;
  private int asked = -1;
  private @Nullable Set<String> sentPlaces;

  /**
   * A dead letter of a job.
   *
   * @param number its place in the job
   * @param eventId id of the event; empty if it names none
   * @param place where it lies
   * @param consumer who is to handle it, or null if nobody knows
   * @param redriven how often it has been sent again after this
   */
  public record Letter(
      int number, String eventId, String place, @Nullable String consumer, int redriven) {
    /** The same letter for another consumer. */
    Letter to(String another) {
      return new Letter(number, eventId, place, another, redriven);
    }

    /** The id of what was sent, in the inbox that it is for; null of what names no event. */
    public @Nullable String sentId() {
      return eventId.isEmpty() ? null : eventId + " " + redriven;
    }
  }

  /**
   * A letter that was sent and has no outcome.
   *
   * @param letter the letter
   * @param ago how long ago it was sent
   */
  public record Sent(Letter letter, Duration ago) {}

  /**
   * A redrive.
   *
   * @param source topic or queue that the letters come from
   * @param despiteLimit whether its queue is read though the broker may drop letters for it
   * @param letters the letters in their order; their numbers say nothing
   * @param target who is to handle them; null for the consumer that each names
   * @param more whether others match
   */
  public record Plan(
      String source,
      boolean despiteLimit,
      List<Letter> letters,
      @Nullable String target,
      boolean more) {
    /** Copies the list. */
    public Plan {
      letters = List.copyOf(letters);
    }

    JobTables.Plan job() {
      List<Listed> listed =
          letters.stream()
              .map(each -> target == null ? each : each.to(target))
              .map(e -> new Listed(e.eventId(), null, e.place(), e.consumer(), e.redriven()))
              .toList();
      EventFilter none = EventFilter.ids(List.of());
      return new JobTables.Plan(Job.REDRIVE, source, despiteLimit, none, listed, more, null, null);
    }
  }

  JobLetters(JdbcAdmin admin, JobTables tables, JobLease lease) {
    this.admin = admin;
    this.inboxes = admin.inboxes();
    this.tables = tables;
    this.lease = lease;
    this.job = lease.job();
  }

  /** The job as it was when it was taken. */
  public Job job() {
    return job;
  }

  /** The next letters that are neither sent nor skipped. */
  public List<Letter> next(int limit) {
    return list("e.number > ?", asked(), limit);
  }

  /** All letters. */
  public List<Letter> all() {
    return list("e.number > ?", 0, Integer.MAX_VALUE);
  }

  /** The places of those that were sent, by this process or one before. */
  public Set<String> sentPlaces() {
    Set<String> known = sentPlaces;
    if (known == null) {
      known = new HashSet<>();
      String which = "e.number <= ? and e.outcome not in ('PLANNED', 'SKIPPED', 'REFUSED')";
      for (Letter each : list(which, asked(), Integer.MAX_VALUE)) {
        known.add(each.place());
      }
      sentPlaces = known;
    }
    return known;
  }

  private int asked() {
    if (asked < 0) {
      asked = tables.read(job.id(), "asked", result -> result.getInt(1));
    }
    return asked;
  }

  private List<Letter> list(String which, int number, int limit) {
    return tables.rows(
        "list dead letters of a job",
        """
        select e.number, e.event_id, e.place, e.consumer, e.redriven from ${job_event} e
        where e.job_id = ? and ${which} order by e.number limit ?"""
            .replace("${which}", which),
        binding -> {
          binding.number(job.id());
          binding.number(number);
          binding.number(limit);
        },
        JobLetters::letter);
  }

  private static Letter letter(ResultSet result) throws SQLException {
    return new Letter(
        result.getInt(1),
        result.getString(2),
        Objects.requireNonNull(result.getString(3)),
        result.getString(4),
        result.getInt(5));
  }

  /** How many were sent and have no outcome. */
  public int open() {
    return lease.open();
  }

  /** Those that were sent and have no outcome. */
  public List<Sent> sent() {
    return tables.rows(
        "list open dead letters of a job",
        """
        select e.number, e.event_id, e.place, e.consumer, e.redriven, ${age} from ${job_event} e
        where e.job_id = ? and e.outcome = 'REQUESTED' order by e.number"""
            .replace("${age}", tables.age("e.changed_at")),
        binding -> binding.number(job.id()),
        result ->
            new Sent(
                letter(result), Duration.of(Math.max(0, result.getLong(6)), ChronoUnit.MICROS)));
  }

  /**
   * Which of these ids a consumer has noted in the schema of the outbox; empty if it notes none.
   */
  public Optional<Set<String>> processed(String consumer, List<String> ids) {
    return inboxes.processed(consumer, ids);
  }

  /**
   * The places of letters that somebody has sent again since this was planned.
   *
   * @param name where they lie
   * @param letters which
   */
  public Set<String> sentByOthers(String name, List<Letter> letters) {
    Set<String> places = new HashSet<>();
    List<String> wanted = letters.stream().map(Letter::place).toList();
    List<String> ids = letters.stream().map(Letter::eventId).toList();
    List<AuditEntry> entries =
        wanted.isEmpty() ? List.of() : admin.carriedOut(Job.REDRIVE, name, known(ids), wanted);
    for (AuditEntry entry : entries) {
      if (entry.requestedAt().isAfter(job.plannedAt())) {
        places.add(String.valueOf(entry.note()));
      }
    }
    return places;
  }

  /** The ids to search by; empty, for any event, if one of the letters has no id. */
  public static Set<String> known(Collection<String> ids) {
    return ids.contains("") ? Set.of() : Set.copyOf(ids);
  }

  /**
   * Renews the lease where that is due.
   *
   * @param now monotonic time in nanoseconds
   */
  public void keep(long now) {
    lease.keep(now);
  }

  /**
   * Before a letter is sent.
   *
   * @throws RunningJob.JobTakenException if the job is paused, cancelled or another process's
   */
  public void claim() {
    boolean unused =
        tables.transaction(
            "keep a job",
            statements -> {
              lease.hold(statements, "state = 'RUNNING'", "asked = asked");
              return true;
            });
  }

  /** The broker has confirmed it. */
  public void sent(Letter letter, AuditNote note) {
    record(letter, Job.Outcome.REQUESTED, null, note, "open = open + 1");
    lease.opened(1);
    if (sentPlaces != null) {
      sentPlaces.add(letter.place());
    }
  }

  /** It could not be sent, or nobody knows whether it was. */
  public void refused(Letter letter, AuditNote note, String why) {
    record(letter, Job.Outcome.REFUSED, why, note, "refused = refused + 1");
  }

  /** It is not sent. */
  public void skipped(Letter letter, String why) {
    record(letter, Job.Outcome.SKIPPED, why, null, "skipped = skipped + 1");
  }

  private void record(
      Letter letter,
      Job.Outcome outcome,
      @Nullable String why,
      @Nullable AuditNote note,
      String count) {
    tables.transaction(
        "record what became of a dead letter",
        statements -> record(statements, letter, outcome, why, note, count));
    asked = letter.number();
  }

  private boolean record(
      Statements statements,
      Letter letter,
      Job.Outcome outcome,
      @Nullable String why,
      @Nullable AuditNote note,
      String count)
      throws SQLException {
    // First, so that nobody else has the job until this is decided.
    lease.hold(statements, "true", "asked = asked + 1, " + count);
    tables.events().record(statements, job.id(), letter.number(), outcome, why);
    if (note != null) {
      admin.record(statements, note, job.instruction());
    }
    return true;
  }

  /** Records outcomes, by the numbers of letters. */
  public void settle(Map<Integer, EventOutcome> outcomes) {
    if (!outcomes.isEmpty()) {
      lease.settle(outcomes);
    }
  }
}
