package io.waybill.spring.internal.api;

import io.waybill.admin.Admin;
import io.waybill.store.StoreException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
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
  private static final int AT_A_TIME = 8;
  private static final Pattern OUTBOX = Pattern.compile("/outboxes/([^/]+)(.*)", Pattern.DOTALL);
  private static final Map<String, Operation> OPERATIONS =
      Operations.ALL.stream().collect(Collectors.toMap(Operation::path, Function.identity()));

  private final Map<String, AdminPool> outboxes = new LinkedHashMap<>();
  private final Semaphore room = new Semaphore(AT_A_TIME);

  /** The names of the outboxes that somebody may look at. */
  record Outboxes(List<String> items) {}

  /**
   * Answers about these outboxes.
   *
   * @param admins opens one with its own connection, by the name of the outbox
   */
  public OutboxApi(Map<String, Supplier<Admin>> admins) {
    admins.forEach((name, opens) -> outboxes.put(name, new AdminPool(opens)));
  }

  /**
   * Answers a question.
   *
   * @param path address below that of the API, decoded, as in {@code /outboxes/orders/events}
   * @param parameters by name
   * @param has whether the caller has an authority
   * @return a record
   * @throws ApiProblem if there is no answer
   */
  public Record answer(String path, Map<String, List<String>> parameters, Predicate<String> has) {
    if (path.equals("/outboxes")) {
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
    AdminPool pool = outboxes.get(outbox);
    if (pool == null) {
      throw ApiProblem.missing("outbox", outbox);
    }
    Call call = new Call(operation, parameters);
    if (!room.tryAcquire()) {
      throw ApiProblem.busy();
    }
    try {
      return pool.ask(admin -> operation.handler().handle(admin, call));
    } catch (StoreException e) {
      LOG.debug("{} of outbox {} could not be answered", operation.path(), outbox, e);
      throw ApiProblem.database(String.valueOf(e.getMessage()));
    } finally {
      room.release();
    }
  }

  private static boolean may(Predicate<String> has, String outbox) {
    for (Role role : Role.values()) {
      if (has.test(role.authority()) || has.test(role.authority(outbox))) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void close() {
    outboxes.values().forEach(AdminPool::close);
  }
}
