package io.waybill.kafka.internal.consume;

import io.waybill.broker.Delivery;
import io.waybill.broker.Reach;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one partition from its assignment until it leaves: what is out, what was given
 * back, how far it may be committed. Guarded by the lock of its {@link LaneTable}.
 */
final class Lane {
  private static final long UNKNOWN = -1;

  /** A message that was delivered; the token of its delivery. */
  static final class Entry {
    final Lane lane;
    private final long offset;
    private final int bytes;
    private boolean isAcknowledged;

    Entry(Lane lane, long offset, int bytes) {
      this.lane = lane;
      this.offset = offset;
      this.bytes = bytes;
    }
  }

  /**
   * Something to commit.
   *
   * @param lane the lane
   * @param position offset of the next message to be read by whoever comes
   * @param settled number of messages that this frees of the window
   */
  record Mark(Lane lane, long position, int settled) {
    OffsetAndMetadata committed() {
      return new OffsetAndMetadata(position, lane.note);
    }
  }

  final TopicPartition partition;
  final String name;
  private final Deque<Entry> open = new ArrayDeque<>();
  private final TreeMap<Long, Delivery> givenBack = new TreeMap<>();
  private long from = UNKNOWN;
  private long next = UNKNOWN;
  private long committed = UNKNOWN;
  private long endAtStart = UNKNOWN;
  private long seen;
  private int settled;
  private long openBytes;
  private boolean unseen;
  private boolean beginning;
  private String note = "";
  private long rewindTo = UNKNOWN;
  boolean paused;
  boolean gone;

  Lane(TopicPartition partition) {
    this.partition = partition;
    this.name = partition.topic() + "-" + partition.partition();
  }

  /**
   * Reading starts here, for want of a committed position, once this one is committed: a restart
   * before the first acknowledgement must not begin somewhere else.
   *
   * @param asked what the broker has from here on is read: the position, or one before it
   * @param isFirst whether the group never had a position here, so that nobody has had a message:
   *     every owner commits where it begins before it reads
   * @param with committed along with each position
   */
  void begin(long position, long asked, boolean isFirst, String with) {
    note = with;
    from = asked;
    next = position;
    unseen = isFirst;
    beginning = true;
  }

  /** Whether it is known where it is read. */
  boolean hasBegun() {
    return next != UNKNOWN;
  }

  /** Offset of the next message to be read, once it has begun. */
  long next() {
    return next;
  }

  /** Whether nothing may be read yet. */
  boolean isBeginning() {
    return beginning;
  }

  boolean needsEnd() {
    return endAtStart == UNKNOWN;
  }

  /** What lies before this was there when the assignment began. */
  void end(long offset) {
    endAtStart = offset;
  }

  Entry add(long offset, int bytes) {
    Entry entry = new Entry(this, offset, bytes);
    open.add(entry);
    from = from == UNKNOWN ? offset : from;
    openBytes += bytes;
    next = offset + 1;
    seen++;
    return entry;
  }

  /**
   * Whether an earlier owner may have had the message: it was there when the assignment began, and
   * is among as many as an owner can have without committing them.
   */
  boolean isSuspect(long offset, int most) {
    return !unseen && seen < most && (endAtStart == UNKNOWN || offset < endAtStart);
  }

  /** The client has read on, over messages that are not for consumers too. */
  void advance(long position) {
    next = Math.max(next, position);
  }

  void acknowledge(Entry entry) {
    if (entry.isAcknowledged) {
      return;
    }
    entry.isAcknowledged = true;
    openBytes -= entry.bytes;
    givenBack.remove(entry.offset);
    for (Entry first = open.peek(); first != null && first.isAcknowledged; first = open.peek()) {
      open.remove();
      settled++;
    }
  }

  void release(Entry entry, Delivery delivery) {
    if (!entry.isAcknowledged) {
      givenBack.put(entry.offset, delivery);
    }
  }

  /** What was given back, in order, to be delivered anew. */
  List<Delivery> takeGivenBack() {
    List<Delivery> all = new ArrayList<>(givenBack.values());
    givenBack.clear();
    return all;
  }

  boolean isFull(int window, long windowBytes) {
    return open.size() + settled >= window || openBytes >= windowBytes;
  }

  /** Whether so many messages wait for a commit that it should not wait for its time. */
  boolean isPressing(int window) {
    return settled >= (window + 3) / 4;
  }

  /** Is to be read again from here on. */
  void rewind(long position) {
    rewindTo = position;
  }

  /** Where it is to be read again from, if it is. */
  OptionalLong rewindTo() {
    return rewindTo == UNKNOWN ? OptionalLong.empty() : OptionalLong.of(rewindTo);
  }

  /** Whether whatever may have killed an earlier owner has been delivered. */
  boolean isBeyondSuspects(int most) {
    return next != UNKNOWN && !isSuspect(next, most);
  }

  /** Null before anything is known to be read from a position that is committed. */
  @Nullable Reach reach() {
    Entry first = open.peek();
    return beginning || next == UNKNOWN
        ? null
        : new Reach(from == UNKNOWN ? next : from, first == null ? next : first.offset, next);
  }

  /** Up to where all is acknowledged; null when that is committed already. */
  @Nullable Mark mark() {
    Entry first = open.peek();
    long position = first == null ? next : first.offset;
    return position == UNKNOWN || position <= committed ? null : new Mark(this, position, settled);
  }

  void committed(Mark mark) {
    beginning = false;
    committed = Math.max(committed, mark.position());
    settled = Math.max(0, settled - mark.settled());
  }
}
