package io.waybill.rabbitmq.internal.send;

import com.rabbitmq.client.Return;
import io.waybill.broker.Confirmation;
import io.waybill.broker.Outgoing;
import io.waybill.broker.PublisherListener;
import io.waybill.rabbitmq.internal.CloseCause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The sends of one link, waiting and outstanding, and every transition between them. One lock
 * guards all of it and is never held during input and output.
 */
public final class PublishWindow {
  // The writer is woken for this many even before the flush.
  private static final int HANDFUL = 64;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final WaitingSends waiting;
  private final boolean isStrict;
  private final Reports reports;
  private final ChannelFailures failures;
  private final Availability.Part availability;
  private final MessageCheck check;
  private final long timeLimit;
  private @Nullable Session session;
  private boolean blocked;
  private boolean closed;
  private int offered;
  private long answeredAt = System.nanoTime();

  /**
   * Creates one.
   *
   * @param isStrict whether several sends of a key may be accepted at once
   * @param listener told each outcome, without the lock, and what leaves one open
   * @param availability told under the lock, so that it hears the changes in their order
   * @param check told what a connection allows, and asked about what waits for it
   * @param timeLimit from the acceptance of a send to its deadline
   */
  public PublishWindow(
      boolean isStrict,
      PublisherListener listener,
      Availability.Part availability,
      MessageCheck check,
      Duration timeLimit) {
    this.isStrict = isStrict;
    this.availability = availability;
    this.waiting = new WaitingSends(isStrict);
    this.reports = new Reports(listener, waiting, isStrict);
    this.failures = new ChannelFailures(waiting, reports, isStrict);
    this.check = check;
    this.timeLimit = timeLimit.toNanos();
  }

  /** Runs what a thread of the client library calls; see {@link Reports#guard}. */
  void guard(Runnable task) {
    reports.guard(task);
  }

  /** Takes a send, to be written to the connection as soon as that can take it. */
  public void offer(Outgoing message, long deadline) {
    Send send = new Send(message, deadline);
    List<Confirmation> outcomes = new ArrayList<>(0);
    lock.lock();
    try {
      if (closed) {
        reports.add(send, send.closed(), outcomes);
      } else {
        waiting.add(send);
        if (++offered >= HANDFUL) {
          wakeWriter();
        }
      }
    } finally {
      lock.unlock();
    }
    reports.tell(outcomes);
  }

  /** Ends a burst of offers: one by one, each would cost a wake-up and a packet of its own. */
  public void flush() {
    lock.lock();
    try {
      if (offered > 0) {
        wakeWriter();
      }
    } finally {
      lock.unlock();
    }
  }

  private void wakeWriter() {
    offered = 0;
    changed.signal();
  }

  /** A connection is open: all sends go to it from now on. */
  void attach(Session opened) {
    check.negotiated(opened.connection().getFrameMax());
    List<Confirmation> outcomes = new ArrayList<>(0);
    lock.lock();
    try {
      waiting.removeRefused(check, (send, refusal) -> reports.add(send, refusal, outcomes));
      session = opened;
      blocked = false;
      waiting.isolation().forgetConnection();
      waiting.sort();
      availability.up();
    } finally {
      lock.unlock();
    }
    reports.tell(outcomes);
  }

  /**
   * Waits for something to write and counts it as outstanding.
   *
   * @return what to write, or null when this session has ended
   */
  @Nullable Burst awaitBurst(Session current) throws InterruptedException {
    lock.lock();
    try {
      while (!closed && session == current) {
        if (!blocked && current.needsRepair()) {
          return Burst.REPAIR;
        }
        Burst burst = blocked ? Burst.REPAIR : Burst.of(current, waiting, isStrict);
        if (!burst.isEmpty()) {
          return burst;
        }
        changed.await();
      }
      return null;
    } finally {
      lock.unlock();
    }
  }

  /** The broker acknowledged or refused. */
  void answered(ConfirmChannel channel, long tag, boolean multiple, boolean ack) {
    List<Confirmation> outcomes = new ArrayList<>(multiple ? 64 : 1);
    lock.lock();
    try {
      if (channel.isDead()) {
        return;
      }
      answeredAt = System.nanoTime();
      boolean isAlone = session != null && session.isAside(channel);
      boolean wasFull = channel.outstanding().room() == 0;
      channel
          .outstanding()
          .take(
              tag,
              multiple,
              send -> {
                reports.add(send, ack ? send.acknowledged() : Outcomes.nacked(send), outcomes);
                if (!ack) {
                  failures.refused(channel, send, session);
                }
                if (isAlone) {
                  waiting.answered(send);
                }
              });
      if (wasFull || channel.room() == 0 || isAlone || waiting.hasBesideMain()) {
        wakeWriter();
      }
    } finally {
      lock.unlock();
    }
    reports.tell(outcomes);
  }

  /** The broker could not route a message; its acknowledgement follows. */
  void returned(ConfirmChannel channel, Return returned) {
    lock.lock();
    try {
      channel.outstanding().returned(returned);
    } finally {
      lock.unlock();
    }
  }

  /** A channel ended, alone or with its connection. */
  void channelClosed(ConfirmChannel channel, CloseCause cause) {
    List<Confirmation> outcomes = new ArrayList<>();
    lock.lock();
    try {
      if (channel.isDead()) {
        return;
      }
      failures.closed(channel, cause, outcomes);
      changed.signal();
    } finally {
      lock.unlock();
    }
    reports.tell(outcomes);
  }

  /** The session is over: what is outstanding on it is unknown. Idempotent. */
  void lost(Session ended, CloseCause cause) {
    List<Confirmation> outcomes = new ArrayList<>();
    lock.lock();
    try {
      ended.channels().forEach(channel -> failures.end(channel, cause, outcomes));
      if (session == ended) {
        session = null;
        blocked = false;
        if (!closed) {
          availability.down("RabbitMQ: " + cause.text());
        }
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    reports.tell(outcomes);
  }

  /** The broker stopped reading from this connection. */
  void blocked(Session of, String reason) {
    lock.lock();
    try {
      if (session == of && !closed) {
        blocked = true;
        availability.down("blocked by RabbitMQ: " + reason);
      }
    } finally {
      lock.unlock();
    }
  }

  /** The broker reads again. */
  void unblocked(Session of) {
    lock.lock();
    try {
      if (session == of && !closed) {
        blocked = false;
        availability.up();
        changed.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /** The client library refused a send that was counted as outstanding. */
  void refusedByClient(Send send, String detail) {
    List<Confirmation> outcomes = new ArrayList<>(1);
    lock.lock();
    try {
      reports.add(send, Outcomes.rejected(send, "client-refused", detail), outcomes);
    } finally {
      lock.unlock();
    }
    reports.tell(outcomes);
  }

  /**
   * Reports the sends whose time is over. Their destinations go aside until they answer.
   *
   * @param now {@link System#nanoTime()}
   * @return what to give up; nothing as long as the broker says that it is blocked
   */
  Overdue expire(long now) {
    List<Confirmation> outcomes = new ArrayList<>(0);
    Overdue overdue;
    lock.lock();
    try {
      waiting.removeLate(now, send -> reports.add(send, send.late(), outcomes));
      // For callers that never flush.
      wakeWriter();
      Session current = session;
      overdue = current == null ? Overdue.NOTHING : expire(current, now, outcomes);
    } finally {
      lock.unlock();
    }
    reports.tell(outcomes);
    return overdue;
  }

  private Overdue expire(Session current, long now, List<Confirmation> outcomes) {
    Predicate<Send> isLate = send -> !send.isReported() && send.isLate(now);
    Predicate<Send> isPassed = send -> send.isOlderThan(answeredAt, timeLimit);
    Overdue overdue = Overdue.of(current, isLate, !isStrict && !blocked, isPassed);
    overdue.sends().forEach(send -> reports.add(send, send.late(), outcomes));
    if (blocked || overdue.sends().isEmpty()) {
      return Overdue.NOTHING;
    }
    failures.overdue(overdue, outcomes);
    return overdue;
  }

  /** Gives up what did not answer in time. */
  public void giveUpOverdue() {
    guard(() -> expire(System.nanoTime()).giveUp(this));
  }

  /** Ends everything; all sends without an outcome get one. */
  public void close() {
    Session current;
    List<Confirmation> outcomes = new ArrayList<>();
    lock.lock();
    try {
      closed = true;
      current = session;
      waiting.removeAll(send -> reports.add(send, send.closed(), outcomes));
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    reports.tell(outcomes);
    if (current != null) {
      lost(current, CloseCause.none("the publisher was closed"));
    }
  }

  boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /** Waits until the time is over or the publish window is closed. */
  void pause(Duration time) throws InterruptedException {
    long left = time.toNanos();
    lock.lock();
    try {
      while (!closed && left > 0) {
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }
}
