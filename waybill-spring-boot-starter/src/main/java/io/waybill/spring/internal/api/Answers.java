package io.waybill.spring.internal.api;

import io.waybill.admin.AuditEntry;
import io.waybill.admin.Counts;
import io.waybill.admin.EventDetail;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventPage;
import io.waybill.admin.EventStatus;
import io.waybill.admin.EventView;
import io.waybill.admin.FailureGroup;
import io.waybill.admin.LaneOwner;
import io.waybill.admin.SessionView;
import io.waybill.internal.jdbc.operator.CorrectionLinks;
import io.waybill.internal.jdbc.operator.Job;
import io.waybill.internal.jdbc.operator.Notes;
import io.waybill.internal.jdbc.operator.Throughput;
import io.waybill.internal.jdbc.operator.VainRetries;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The results of operations. A {@code next} is what to give as {@code after} for more. */
public final class Answers {
  private Answers() {}

  public record Status(
      Counts counts,
      List<SessionView> relays,
      long freeLanes,
      List<String> paused,
      List<String> failing,
      Throughput throughput) {}

  /**
   * Changes since the last event of a stream.
   *
   * @param status how all stands, or null if it is as before
   * @param jobs those of the latest jobs that are not as before
   */
  public record Change(@Nullable Status status, List<JobView> jobs) {}

  public record Events(List<EventView> items, @Nullable String next) {
    static Events of(EventPage page) {
      return new Events(page.events(), page.next());
    }
  }

  /** A number of events up to a row, as in {@link Count}. */
  public record Counted(long count, boolean more, @Nullable String next) {
    /** The number; rows that were not looked at may make it larger. */
    public Count number() {
      return new Count(count, more || next != null);
    }
  }

  /**
   * A number of events.
   *
   * @param count how many, or the number at which counting stopped
   * @param more whether there are more
   */
  public record Count(long count, boolean more) {
    static Count of(long counted, int most) {
      return new Count(Math.min(counted, most), counted > most);
    }
  }

  /**
   * An event, without payload and headers.
   *
   * @param waits why it waits, or null
   * @param correctedBy id of the event that was appended in its place, or null
   * @param corrects id of the event in whose place it was appended, or null
   */
  public record Event(
      EventView event,
      int eventVersion,
      String contentType,
      @Nullable String correlationId,
      @Nullable String causationId,
      @Nullable String traceparent,
      @Nullable String waits,
      @Nullable String correctedBy,
      @Nullable String corrects,
      List<AuditEntry> audit) {
    static Event of(EventDetail detail, @Nullable String waits, CorrectionLinks links) {
      return new Event(
          detail.event(),
          detail.eventVersion(),
          detail.contentType(),
          detail.correlationId(),
          detail.causationId(),
          detail.traceparent(),
          waits,
          links.correctedBy(),
          links.corrects(),
          detail.audit());
    }
  }

  /**
   * Payload and headers of an event.
   *
   * @param headers a JSON object as a text, as the table has it
   * @param cut whether the payload has more bytes than are shown
   * @param text the payload where it is text
   * @param base64 any other payload
   */
  public record Contents(
      String eventId,
      String contentType,
      @Nullable String headers,
      @Nullable Integer payloadBytes,
      boolean cut,
      @Nullable String text,
      @Nullable String base64) {
    private static final int MOST_BYTES = 64 << 10;

    static Contents of(EventDetail detail) {
      byte[] payload = detail.payload();
      Integer size = detail.event().payloadBytes();
      // What is larger than any event may be is not read.
      int length = payload == null ? 0 : Math.min(payload.length, MOST_BYTES);
      byte[] shown = payload == null ? new byte[0] : Arrays.copyOf(payload, length);
      boolean cut = size != null && size > length;
      String text = size == null ? null : text(shown, cut);
      return new Contents(
          detail.event().eventId(),
          detail.contentType(),
          detail.headersJson(),
          size,
          cut,
          text,
          size == null || text != null ? null : Base64.getEncoder().encodeToString(shown));
    }

    /** Up to the last whole character where it is cut; null if it is no text. */
    private static @Nullable String text(byte[] bytes, boolean cut) {
      CharBuffer chars = CharBuffer.allocate(bytes.length);
      boolean broken =
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes), chars, !cut).isError();
      return broken ? null : chars.flip().toString();
    }
  }

  /**
   * A group of failures.
   *
   * @param note what the next shift should know, or null
   * @param retried retries of the sample after which it has failed again, or null
   */
  public record Failure(
      String id,
      EventStatus status,
      Count events,
      Instant first,
      Instant last,
      EventView sample,
      Notes.@Nullable Note note,
      @Nullable VainRetries retried) {
    static Failure of(
        FailureGroup group, int most, Notes.@Nullable Note note, @Nullable VainRetries retried) {
      return new Failure(
          group.id(),
          group.status(),
          Count.of(group.count(), most),
          group.first(),
          group.last(),
          group.sample(),
          note,
          retried);
    }
  }

  /** The note of a group of failures; null if there is none. */
  public record Noted(Notes.@Nullable Note note) {}

  public record Failures(List<Failure> items, @Nullable String next) {}

  /**
   * A key that does not flow.
   *
   * @param head the event that blocks it
   * @param behind how many wait behind it
   * @param retried retries of the head after which it has failed again, or null
   */
  public record BlockedKey(EventView head, Count behind, @Nullable VainRetries retried) {}

  public record BlockedKeys(List<BlockedKey> items, @Nullable String next) {}

  public record Destinations(List<DestinationStanding> items) {}

  public record Relays(List<SessionView> items) {}

  public record Lanes(List<LaneOwner> items) {}

  public record Audit(List<AuditEntry> items, @Nullable String next) {}

  /** Conditions of events, named as parameters are. */
  public record Filter(
      @Nullable EventStatus state,
      @Nullable String type,
      @Nullable String aggregateType,
      @Nullable String aggregateId,
      @Nullable String reason,
      @Nullable Instant since,
      @Nullable Instant before,
      @Nullable String group,
      @Nullable String traceId) {
    static Filter of(EventFilter filter) {
      return new Filter(
          filter.status(),
          filter.eventType(),
          filter.aggregateType(),
          filter.aggregateId(),
          filter.reason(),
          filter.since(),
          filter.before(),
          filter.group() == null || filter.status() == null
              ? null
              : FailureGroup.id(filter.status(), filter.group()),
          filter.traceId());
    }
  }

  public record Jobs(List<JobView> items, @Nullable String next) {}

  /**
   * An event of a job.
   *
   * @param place where a dead letter lies, or null
   * @param consumer who is to handle a dead letter, or null
   */
  public record JobEvent(
      int number,
      String eventId,
      @Nullable String place,
      @Nullable String consumer,
      Job.Outcome outcome,
      @Nullable String note) {
    static JobEvent of(Job.Event event) {
      return new JobEvent(
          event.number(),
          event.eventId(),
          event.place(),
          event.consumer(),
          event.outcome(),
          event.note());
    }
  }

  public record JobEvents(List<JobEvent> items, @Nullable String next) {}

  /**
   * A job.
   *
   * @param id its id: a text, since it is too large for the numbers of some languages
   * @param verb the request for each event, or that dead letters are sent again
   * @param source topic or queue that the dead letters come from; null for events of the outbox
   * @param filter conditions of events of the outbox
   * @param events how many events it means
   */
  public record JobView(
      String id,
      Job.State state,
      String verb,
      @Nullable String source,
      Filter filter,
      Count events,
      int canary,
      int rate,
      int stopAfter,
      int requested,
      int succeeded,
      int failed,
      int refused,
      int skipped,
      int unclear,
      int open,
      String plannedBy,
      Instant plannedAt,
      @Nullable String requestedBy,
      @Nullable String reason,
      @Nullable Instant startedAt,
      @Nullable Instant endedAt,
      @Nullable String note,
      @Nullable String runner) {
    static JobView of(Job job) {
      return new JobView(
          Long.toString(job.id()),
          job.state(),
          job.verb(),
          job.source(),
          Filter.of(job.filter()),
          new Count(job.matched(), job.more()),
          job.pace().canary(),
          job.pace().rate(),
          job.pace().stopAfter(),
          job.requested(),
          job.tally().succeeded(),
          job.tally().failed(),
          job.tally().refused(),
          job.tally().skipped(),
          job.tally().unclear(),
          job.open(),
          job.plannedBy(),
          job.plannedAt(),
          job.requestedBy(),
          job.reason(),
          job.startedAt(),
          job.endedAt(),
          job.note(),
          job.runner());
    }
  }
}
