package io.waybill.spring.internal.api;

import io.waybill.admin.Admin;
import io.waybill.broker.Broker;
import io.waybill.internal.jdbc.operator.MissingGrantException;
import io.waybill.internal.relay.shell.ThisProcess;
import io.waybill.internal.start.StartChecks;
import io.waybill.message.Destination;
import io.waybill.spring.WaybillStartException;
import io.waybill.store.StoreException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Answers questions about outboxes, a few at a time. Thread-safe. */
public final class OutboxApi implements AutoCloseable {
  /** As many questions about one outbox are answered at a time; more are refused. */
  public static final int AT_A_TIME = 4;

  private static final long CLEAN_SECONDS = 10;
  private static final Pattern OUTBOX = Pattern.compile("/outboxes/([^/]+)(.*)", Pattern.DOTALL);
  private static final Map<String, Map<Operation.Method, Operation>> OPERATIONS =
      Operations.ALL.stream()
          .collect(
              Collectors.groupingBy(
                  Operation::path, Collectors.toMap(Operation::method, Function.identity())));

  private final Map<String, Asked> outboxes = new LinkedHashMap<>();
  private final Semaphore streams = new Semaphore(Feed.MOST_LISTENERS);
  private final Queue<Feed> feeds = new ConcurrentLinkedQueue<>();
  private final ScheduledExecutorService cleaner =
      Executors.newSingleThreadScheduledExecutor(OutboxApi::daemon);

  /** The names of the outboxes that somebody may look at. */
  record Outboxes(List<String> items) {}

  /**
   * Answers about these outboxes.
   *
   * @param admins opens one with its own connection, by the name of the outbox
   * @param brokers the broker of an outbox
   * @param destinations those of the routes of an outbox
   * @param checks those of an outbox before a relay starts
   * @param relays whether this process runs relays
   */
  public OutboxApi(
      Map<String, Supplier<Admin>> admins,
      Function<String, Broker> brokers,
      Function<String, List<Destination>> destinations,
      Function<String, StartChecks> checks,
      boolean relays) {
    // No other one has this name, also after a restart.
    String runner =
        "%s/%d/%s"
            .formatted(
                ThisProcess.host(),
                ProcessHandle.current().pid(),
                UUID.randomUUID().toString().substring(0, 8));
    admins.forEach(
        (name, opens) ->
            outboxes.put(
                name,
                new Asked(
                    name,
                    opens,
                    () -> brokers.apply(name),
                    () -> destinations.apply(name),
                    new Doctor(() -> checks.apply(name), relays, OutboxApi::daemon),
                    runner,
                    streams)));
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

  /** Begins to carry out jobs. */
  public void start() {
    outboxes.values().forEach(asked -> asked.worker.start());
  }

  /**
   * What somebody asks.
   *
   * @param method GET or POST
   * @param path address below that of the API, decoded, as in {@code /outboxes/orders/events}
   * @param caller name of who asks
   * @param has whether the caller has a role, as {@link Role#role()} names it
   * @param parameters reads those of the address or the body, by name
   */
  record Question(
      Operation.Method method,
      String path,
      String caller,
      Predicate<String> has,
      Supplier<Map<String, List<String>>> parameters) {}

  /**
   * Answers a question.
   *
   * @return a record, or a feed to listen to
   * @throws ApiProblem if there is no answer
   */
  Object answer(Question question) {
    String path = question.path();
    if (path.equals("/outboxes")) {
      require(question.method(), Set.of(Operation.Method.GET));
      Parameter.requireNone(question.parameters().get().keySet());
      return outboxes(question.has());
    }
    Matcher matcher = OUTBOX.matcher(path);
    Map<Operation.Method, Operation> there =
        matcher.matches() ? OPERATIONS.getOrDefault(matcher.group(2), Map.of()) : Map.of();
    if (there.isEmpty()) {
      throw ApiProblem.missing("address", path);
    }
    require(question.method(), there.keySet());
    return answer(Objects.requireNonNull(there.get(question.method())), matcher.group(1), question);
  }

  /** Those that somebody with these roles may look at. */
  Outboxes outboxes(Predicate<String> has) {
    return new Outboxes(
        outboxes.keySet().stream().filter(name -> may(has, Role.VIEWER, name)).toList());
  }

  /**
   * The names of all outboxes, in the order of the configuration.
   *
   * @return at least one
   */
  public List<String> names() {
    return List.copyOf(outboxes.keySet());
  }

  /**
   * Asks an outbox something that is no operation. The caller bounds how many do so at a time.
   *
   * @param outbox its name
   * @param question what to ask
   * @param <T> type of the answer
   * @return the answer
   * @throws ApiProblem if the database does not answer
   */
  public <T> T ask(String outbox, Function<Admin, T> question) {
    return Objects.requireNonNull(outboxes.get(outbox)).ask(question);
  }

  private static void require(Operation.Method method, Set<Operation.Method> there) {
    if (!there.contains(method)) {
      throw ApiProblem.method(method.name(), there);
    }
  }

  private Object answer(Operation operation, String outbox, Question question) {
    Role role = operation.role();
    // Before it is looked up: its name is no business of others.
    if (!may(question.has(), role, outbox)) {
      throw ApiProblem.forbidden(role, outbox);
    }
    Asked asked = outboxes.get(outbox);
    if (asked == null) {
      throw ApiProblem.missing("outbox", outbox);
    }
    Call call =
        new Call(
            operation, question.caller(), question.parameters().get(), asked.broker, asked.doctor);
    return operation.isStream() ? asked.feed : asked.answer(operation, call);
  }

  static boolean may(Predicate<String> has, Role least, String outbox) {
    return Arrays.stream(Role.values())
        .filter(role -> role.compareTo(least) >= 0)
        .anyMatch(role -> has.test(role.role()) || has.test(role.role(outbox)));
  }

  /**
   * A stream of something else. It has its places among those of all streams, and ends with them.
   *
   * @param look reads how everything stands; nobody calls it while nobody listens
   * @return the feed
   */
  public Feed feed(Supplier<?> look) {
    Feed feed = new Feed(look, streams, OutboxApi::daemon);
    feeds.add(feed);
    return feed;
  }

  /** Ends all streams, and refuses others: who stops gracefully waits for nobody who listens. */
  public void endStreams() {
    outboxes.values().forEach(asked -> asked.feed.close());
    feeds.forEach(Feed::close);
  }

  @Override
  public void close() {
    endStreams();
    cleaner.shutdownNow();
    outboxes.values().forEach(Asked::close);
  }

  /** One outbox: its database may be away, and must not take all the room. */
  private static final class Asked {
    private final Warnings warnings;
    private final AdminPool pool;
    private final JobWorker worker;
    private final BrokerAccess broker;
    private final Doctor doctor;
    private final Feed feed;
    private final Semaphore room = new Semaphore(AT_A_TIME);

    Asked(
        String name,
        Supplier<Admin> opens,
        Supplier<Broker> broker,
        Supplier<List<Destination>> destinations,
        Doctor doctor,
        String runner,
        Semaphore streams) {
      this.broker = new BrokerAccess(broker, destinations);
      this.doctor = doctor;
      this.warnings = new Warnings(name);
      this.pool = new AdminPool(opens);
      this.worker = new JobWorker(name, opens, broker, runner, new Warnings(name));
      this.feed = new Feed(() -> ask(Standing::change), streams, OutboxApi::daemon);
    }

    Record answer(Operation operation, Call call) {
      if (!room.tryAcquire()) {
        throw ApiProblem.busy();
      }
      try {
        return ask(admin -> operation.handler().handle(admin, call));
      } finally {
        room.release();
        if (operation.method() == Operation.Method.POST) {
          worker.wake();
        }
      }
    }

    private <T> T ask(Function<Admin, T> question) {
      try {
        return pool.ask(question);
      } catch (MissingGrantException e) {
        throw ApiProblem.grant(String.valueOf(e.getMessage()));
      } catch (StoreException | WaybillStartException e) {
        warnings.warn("no answer", e, "who asked gets 503 and may ask again");
        throw ApiProblem.database(String.valueOf(e.getMessage()));
      }
    }

    void close() {
      worker.close();
      pool.close();
    }
  }
}
