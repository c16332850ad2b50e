package io.waybill.rabbitmq.internal.send;

import com.rabbitmq.client.BlockedListener;
import io.waybill.rabbitmq.internal.CloseCause;
import io.waybill.rabbitmq.internal.Failures;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Keeps one connection open and writes to it. Its thread is the only one that may block on the
 * broker.
 */
public final class Link implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Link.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);

  /** Opens connections. */
  @FunctionalInterface
  public interface Opener {
    /** Opens one; blocks within the configured limits. */
    Session open(PublishWindow publishWindow) throws IOException, TimeoutException;
  }

  private final int number;
  private final Opener opener;
  private final PublishWindow publishWindow;
  private final Availability.Part availability;
  private final Duration maxPause;
  private final Consumer<Throwable> end;
  private int failures;

  /**
   * Creates one that has no connection yet.
   *
   * @param maxPause bound of the pauses between attempts to connect
   * @param end told when its thread ends before its time
   */
  public Link(
      int number,
      Opener opener,
      PublishWindow publishWindow,
      Availability.Part availability,
      Duration maxPause,
      Consumer<Throwable> end) {
    this.number = number;
    this.opener = opener;
    this.publishWindow = publishWindow;
    this.availability = availability;
    this.maxPause = maxPause;
    this.end = end;
  }

  @Override
  public void run() {
    try {
      while (!publishWindow.isClosed()) {
        connectAndServe();
      }
    } catch (InterruptedException e) {
      LOG.debug("Link {} was interrupted and ends.", number);
      ended(e);
    } catch (RuntimeException | Error e) {
      ended(e);
      throw e;
    }
  }

  /** Nobody else writes to this connection. */
  private void ended(Throwable cause) {
    if (!publishWindow.isClosed()) {
      availability.down("a thread of the publisher ended: " + Failures.describe(cause));
      end.accept(cause);
    }
  }

  private void connectAndServe() throws InterruptedException {
    Session session = connect();
    if (session != null) {
      serve(session);
    }
  }

  private @Nullable Session connect() throws InterruptedException {
    try {
      Session session = opener.open(publishWindow);
      LOG.info("Link {} is connected to RabbitMQ.", number);
      return session;
    } catch (IOException | TimeoutException | RuntimeException e) {
      if (!publishWindow.isClosed()) {
        String reason = "cannot connect to RabbitMQ: " + Failures.describe(e);
        availability.down(reason);
        backOff(reason);
      }
      return null;
    }
  }

  private void serve(Session session) throws InterruptedException {
    publishWindow.attach(session);
    session.connection().addBlockedListener(new Blocking(session));
    session
        .connection()
        .addShutdownListener(
            s -> publishWindow.guard(() -> publishWindow.lost(session, CloseCause.of(s))));
    String reason = "the connection ended";
    try {
      write(session);
    } catch (IOException | RuntimeException e) {
      reason = "the connection failed: " + Failures.describe(e);
    } finally {
      publishWindow.lost(session, CloseCause.none(reason));
      session.drop();
    }
    if (!publishWindow.isClosed()) {
      backOff(reason);
    }
  }

  private void write(Session session) throws IOException, InterruptedException {
    Burst burst = publishWindow.awaitBurst(session);
    while (burst != null) {
      session.repair();
      session.write(burst);
      failures = 0;
      burst = publishWindow.awaitBurst(session);
    }
  }

  private void backOff(String reason) throws InterruptedException {
    long ceiling = Math.min(maxPause.toMillis(), FIRST_PAUSE.toMillis() << Math.min(failures, 16));
    Duration pause = Duration.ofMillis(ThreadLocalRandom.current().nextLong(ceiling + 1));
    Level level = failures == 0 ? Level.WARN : Level.DEBUG;
    LOG.atLevel(level)
        .log("Link {}: {}. It connects again in {} ms.", number, reason, pause.toMillis());
    failures++;
    publishWindow.pause(pause);
  }

  /** Listens to the broker's alarms on one connection. */
  private final class Blocking implements BlockedListener {
    private final Session session;

    Blocking(Session session) {
      this.session = session;
    }

    @Override
    public void handleBlocked(String reason) {
      LOG.warn("RabbitMQ blocks link {}: {}. Nothing is sent until it unblocks.", number, reason);
      publishWindow.guard(() -> publishWindow.blocked(session, reason));
    }

    @Override
    public void handleUnblocked() {
      LOG.info("RabbitMQ unblocked link {}.", number);
      publishWindow.guard(() -> publishWindow.unblocked(session));
    }
  }
}
