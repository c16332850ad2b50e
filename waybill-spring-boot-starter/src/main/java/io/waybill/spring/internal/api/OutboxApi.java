package io.waybill.spring.internal.api;

import io.waybill.admin.Admin;
import io.waybill.spring.WaybillStartException;
import io.waybill.store.StoreException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers questions about outboxes, a few at a time. Thread-safe. */
public final class OutboxApi implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OutboxApi.class);

  /** As many questions about one outbox are answered at a time; more are refused. */
  public static final int AT_A_TIME = 4;

  private static final long CLEAN_SECONDS = 10;
  private static final long BETWEEN_WARNINGS = TimeUnit.MINUTES.toNanos(1);
  private static final Pattern OUTBOX = Pattern.compile("/outboxes/([^/]+)(.*)", Pattern.DOTALL);
  private static final Map<String, Operation> OPERATIONS =
      Operations.ALL.stream().collect(Collectors.toMap(Operation::path, Function.identity()));

  private final Map<String, Asked> outboxes = new LinkedHashMap<>();
  private final ScheduledExecutorService cleaner =
      Executors.newSingleThreadScheduledExecutor(OutboxApi::daemon);

  /** The names of the outboxes that somebody may look at. */
  record Outboxes(List<String> items) {}

  /**
   * Answers about these outboxes.
   *
   * @param admins opens one with its own connection, by the name of the outbox
   */
  public OutboxApi(Map<String, Supplier<Admin>> admins) {
    admins.forEach((name, opens) -> outboxes.put(name, new Asked(name, opens)));
    ScheduledFuture<?> unused =
        cleaner.scheduleWithFixedDelay(
            () -> outboxes.values().forEach(asked -> asked.pool.closeIdle()),
            CLEAN_SECONDS,
            CLEAN_SECONDS,
            TimeUnit.SECONDS);
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "waybill-api");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Answers a question.
   *
   * @param path address below that of the API, decoded, as in {@code /outboxes/orders/events}
   * @param parameters by name
   * @param has whether the caller has a role, as {@link Role#role()} names it
   * @return a record
   * @throws ApiProblem if there is no answer
   */
  public Record answer(String path, Map<String, List<String>> parameters, Predicate<String> has) {
    if (path.equals("/outboxes")) {
      Parameter.requireNone(parameters.keySet());
      return new Outboxes(outboxes.keySet().stream().filter(name -> may(has, name)).toList());
    }
    Matcher matcher = OUTBOX.matcher(path);
    if (matcher.matches()) {
      Operation operation = OPERATIONS.get(matcher.group(2));
      if (operation != null) {
        return answer(operation, matcher.group(1), parameters, has);
      }
    }
    throw ApiProblem.missing("address", path);
  }

  private Record answer(
      Operation operation,
      String outbox,
      Map<String, List<String>> parameters,
      Predicate<String> has) {
    // Before it is looked up: its name is no business of others.
    if (!may(has, outbox)) {
      throw ApiProblem.forbidden(Role.VIEWER, outbox);
    }
    Asked asked = outboxes.get(outbox);
    if (asked == null) {
      throw ApiProblem.missing("outbox", outbox);
    }
    Call call = new Call(operation, parameters);
    return asked.answer(operation, call);
  }

  private static boolean may(Predicate<String> has, String outbox) {
    for (Role role : Role.values()) {
      if (has.test(role.role()) || has.test(role.role(outbox))) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void close() {
    cleaner.shutdownNow();
    outboxes.values().forEach(asked -> asked.pool.close());
  }

  /** One outbox: its database may be away, and must not take all the room. */
  private static final class Asked {
    private final String name;
    private final AdminPool pool;
    private final Semaphore room = new Semaphore(AT_A_TIME);
    private final AtomicLong silentUntil = new AtomicLong(System.nanoTime());

    Asked(String name, Supplier<Admin> opens) {
      this.name = name;
      this.pool = new AdminPool(opens);
    }

    Record answer(Operation operation, Call call) {
      if (!room.tryAcquire()) {
        throw ApiProblem.busy();
      }
      try {
        return pool.ask(admin -> operation.handler().handle(admin, call));
      } catch (StoreException | WaybillStartException e) {
        warn(e);
        throw ApiProblem.database(String.valueOf(e.getMessage()));
      } finally {
        room.release();
      }
    }

    /** Who asks again every other second need not fill the log. */
    private void warn(RuntimeException e) {
      long now = System.nanoTime();
      long until = silentUntil.get();
      LOG.debug("outbox {}: no answer", name, e);
      if (now - until >= 0 && silentUntil.compareAndSet(until, now + BETWEEN_WARNINGS)) {
        LOG.warn("outbox {}: {}; who asked gets 503 and may ask again", name, e.getMessage());
      }
    }
  }
}
