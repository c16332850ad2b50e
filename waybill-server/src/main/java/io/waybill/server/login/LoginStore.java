package io.waybill.server.login;

import io.waybill.internal.jdbc.operator.Logins;
import io.waybill.spring.internal.api.ApiProblem;
import io.waybill.spring.internal.api.OutboxApi;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logins in the database of one outbox, where all instances find them. A database that is away
 * takes a few threads and no more. Thread-safe.
 */
public final class LoginStore implements AutoCloseable {
  /** As many requests ask for a login at a time; others wait a moment. */
  public static final int AT_A_TIME = 4;

  private static final Logger LOG = LoggerFactory.getLogger(LoginStore.class);
  private static final long FORGETS_MINUTES = 10;
  private static final long LONGEST_WAIT_MILLIS = 1_000;

  private final OutboxApi api;
  private final String outbox;
  private final Logins.Life life;
  private final Semaphore room = new Semaphore(AT_A_TIME);
  private final ScheduledExecutorService cleaner =
      Executors.newSingleThreadScheduledExecutor(LoginStore::daemon);

  /**
   * Keeps logins in the database of an outbox.
   *
   * @param api asks the outbox
   * @param outbox its name
   * @param life how long logins last
   */
  public LoginStore(OutboxApi api, String outbox, Logins.Life life) {
    this.api = api;
    this.outbox = outbox;
    this.life = life;
    ScheduledFuture<?> unused =
        cleaner.scheduleWithFixedDelay(this::forget, 1, FORGETS_MINUTES, TimeUnit.MINUTES);
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "waybill-logins");
    thread.setDaemon(true);
    return thread;
  }

  private void forget() {
    try {
      int ended = ask(Logins::forget);
      LOG.debug("{} login(s) had ended", ended);
    } catch (ApiProblem | Logins.MissingTableException e) {
      LOG.debug("logins that have ended stay for {} minutes more", FORGETS_MINUTES, e);
    }
  }

  void begin(LoginToken token, Logins.Login login) {
    ask(
        logins -> {
          logins.begin(token.hash(), login);
          return true;
        });
  }

  Optional<Logins.Login> find(LoginToken token, boolean used) {
    return ask(logins -> logins.find(token.hash(), used));
  }

  void end(LoginToken token) {
    ask(
        logins -> {
          logins.end(token.hash());
          return true;
        });
  }

  private <T> T ask(Function<Logins, T> question) {
    boolean entered = false;
    try {
      entered = room.tryAcquire(LONGEST_WAIT_MILLIS, TimeUnit.MILLISECONDS);
      if (!entered) {
        throw ApiProblem.busy();
      }
      return api.ask(outbox, admin -> question.apply(Logins.of(admin, life)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ApiProblem.busy();
    } finally {
      if (entered) {
        room.release();
      }
    }
  }

  @Override
  public void close() {
    cleaner.shutdownNow();
  }
}
