package io.waybill.inbox;

import io.waybill.broker.Publisher;
import io.waybill.broker.Subscriber;
import io.waybill.encode.DeadLetter;
import io.waybill.message.Destination;
import io.waybill.message.Transport;
import io.waybill.observe.InboxListener;
import io.waybill.store.InboxStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Collects the parts of an {@link Inbox}. Not thread-safe. */
public final class InboxBuilder {

  private final List<Registration> registrations = new ArrayList<>();
  private String name = "inbox-" + ProcessHandle.current().pid();
  private @Nullable InboxStore store;
  private @Nullable Subscriber subscriber;
  private @Nullable Publisher publisher;
  private Function<String, Destination> deadLetters =
      source -> Destination.topic(DeadLetter.nameOf(source));
  private UnknownTypes unknownTypes = UnknownTypes.DEAD_LETTER;
  private ErrorClassifier errors = ErrorClassifier.ofDefaults();
  private Interceptor interceptor = Interceptor.NONE;
  private InboxListener listener = InboxListener.NONE;
  private UnaryOperator<InboxSettings> settings = UnaryOperator.identity();
  private Duration handlerTimeout = Duration.ofSeconds(30);
  private Duration revocationWait = Duration.ofSeconds(10);
  private Duration dedupeWindow = Duration.ofDays(14);
  private Duration brokerRetention = Duration.ZERO;

  InboxBuilder() {}

  /**
   * Names the inbox, for logs and threads. Default: from the process id.
   *
   * @param inboxName its name
   * @return this
   */
  public InboxBuilder name(String inboxName) {
    this.name = Objects.requireNonNull(inboxName, "name");
    return this;
  }

  /**
   * Where it is noted what was processed, in the database that handlers write to. Required; opened
   * and closed by the inbox.
   *
   * @param inboxStore the tables of one consumer
   * @return this
   */
  public InboxBuilder store(InboxStore inboxStore) {
    this.store = Objects.requireNonNull(inboxStore, "store");
    return this;
  }

  /**
   * Where events come from. Required; started and closed by the inbox.
   *
   * @param broker the broker
   * @return this
   */
  public InboxBuilder subscriber(Subscriber broker) {
    this.subscriber = Objects.requireNonNull(broker, "subscriber");
    return this;
  }

  /**
   * Where dead letters go: on Kafka to the topic {@code <topic>.dlt}, on RabbitMQ through the
   * default exchange to the queue {@code <queue>.dlt}. Required, this or the other form.
   *
   * @param broker sends them; started and closed by the inbox
   * @param transport kind of broker
   * @return this
   */
  public InboxBuilder deadLetters(Publisher broker, Transport transport) {
    return deadLetters(
        broker,
        switch (transport) {
          case KAFKA -> source -> Destination.topic(DeadLetter.nameOf(source));
          case RABBITMQ -> source -> Destination.exchange("", DeadLetter.nameOf(source));
        });
  }

  /**
   * Where dead letters go, for example on RabbitMQ through an exchange of their own: {@code
   * RabbitDeadLetters.of}.
   *
   * @param broker sends them; started and closed by the inbox
   * @param destinations from topic or queue to the destination of its dead letters
   * @return this
   */
  public InboxBuilder deadLetters(Publisher broker, Function<String, Destination> destinations) {
    this.publisher = Objects.requireNonNull(broker, "publisher");
    this.deadLetters = Objects.requireNonNull(destinations, "destinations");
    return this;
  }

  /**
   * Handles a type in all versions that have no handler of their own.
   *
   * @param type exact event type
   * @param handler what is called
   * @return this
   */
  public InboxBuilder handler(String type, EventHandler handler) {
    return handler(type, Registration.ANY_VERSION, handler);
  }

  /**
   * Handles one version of a type.
   *
   * @param type exact event type
   * @param version version of the type
   * @param handler what is called
   * @return this
   */
  public InboxBuilder handler(String type, int version, EventHandler handler) {
    Objects.requireNonNull(handler, "handler");
    return register(
        type, version, 1, (events, connection) -> handler.handle(events.get(0), connection));
  }

  /**
   * Handles one version of a type with its payload read.
   *
   * @param type exact event type
   * @param version version of the type, or {@link Registration#ANY_VERSION}
   * @param reader makes an object of the payload; when it fails the event is dead-lettered
   * @param handler what is called
   * @param <T> what the payload is read as
   * @return this
   */
  public <T> InboxBuilder handler(
      String type, int version, PayloadReader<? extends T> reader, TypedHandler<T> handler) {
    Objects.requireNonNull(reader, "reader");
    Objects.requireNonNull(handler, "handler");
    return handler(
        type,
        version,
        (event, connection) -> handler.handle(Payloads.read(reader, event), event, connection));
  }

  /**
   * Handles several events of a type in one transaction, as many as wait. Full batches need a
   * broker that hands out enough at once: on RabbitMQ a prefetch of twice workers times {@code
   * most}.
   *
   * @param type exact event type
   * @param version version of the type, or {@link Registration#ANY_VERSION}
   * @param most most events per call, from 1 to {@link Registration#MAX_BATCH}; 100 is a good start
   * @param handler what is called
   * @return this
   */
  public InboxBuilder batchHandler(String type, int version, int most, BatchHandler handler) {
    return register(type, version, most, handler);
  }

  private InboxBuilder register(String type, int version, int batch, BatchHandler handler) {
    registrations.add(new Registration(type, version, batch, handler));
    return this;
  }

  /**
   * What becomes of events without handler. Default: {@link UnknownTypes#DEAD_LETTER}.
   *
   * @param policy the policy
   * @return this
   */
  public InboxBuilder unknownTypes(UnknownTypes policy) {
    this.unknownTypes = Objects.requireNonNull(policy, "policy");
    return this;
  }

  /**
   * Which failures may pass. Default: {@link ErrorClassifier#ofDefaults()}.
   *
   * @param classifier judges what handlers throw
   * @return this
   */
  public InboxBuilder errors(ErrorClassifier classifier) {
    this.errors = Objects.requireNonNull(classifier, "classifier");
    return this;
  }

  /**
   * What stands around every call of a handler. Default: nothing.
   *
   * @param around for example opens a span
   * @return this
   */
  public InboxBuilder interceptor(Interceptor around) {
    this.interceptor = Objects.requireNonNull(around, "interceptor");
    return this;
  }

  /**
   * Who is told what the inbox does. Default: nobody.
   *
   * @param told thread-safe and quick
   * @return this
   */
  public InboxBuilder listener(InboxListener told) {
    this.listener = Objects.requireNonNull(told, "listener");
    return this;
  }

  /**
   * Changes bounds, retries and intervals. Default: {@link InboxSettings#defaults()}.
   *
   * @param change from the defaults to the settings
   * @return this
   */
  public InboxBuilder settings(UnaryOperator<InboxSettings> change) {
    this.settings = Objects.requireNonNull(change, "change");
    return this;
  }

  /**
   * How long a handler may take before its thread is interrupted and its connection cut. Default:
   * 30 seconds.
   *
   * @param limit more than zero, less than {@link InboxStore#statementLimit}
   * @return this
   */
  public InboxBuilder handlerTimeout(Duration limit) {
    this.handlerTimeout = Objects.requireNonNull(limit, "limit");
    return this;
  }

  /**
   * How long lanes that leave are kept for running handlers to end. Default: 10 seconds; less than
   * what the broker allows a member of a group to take.
   *
   * @param longest zero or more
   * @return this
   */
  public InboxBuilder revocationWait(Duration longest) {
    this.revocationWait = Objects.requireNonNull(longest, "longest");
    return this;
  }

  /**
   * How long processed events are remembered at least; they are forgotten an hour later, for a
   * broker does not delete in the moment in which it may, and clocks differ. Default: 14 days, as
   * long as Kafka keeps messages by default ({@code retention.ms} and {@code segment.ms} of 7 days
   * each). A copy that comes later is applied again.
   *
   * @param age more than the longest retry and than {@link #brokerRetention}
   * @return this
   */
  public InboxBuilder dedupeWindow(Duration age) {
    this.dedupeWindow = Objects.requireNonNull(age, "age");
    return this;
  }

  /**
   * How long the broker keeps messages and so may deliver them again. Default: not known.
   *
   * @param age for example {@code retention.ms} and {@code segment.ms} of the topics together
   * @return this
   */
  public InboxBuilder brokerRetention(Duration age) {
    this.brokerRetention = Objects.requireNonNull(age, "age");
    return this;
  }

  /**
   * Starts the inbox.
   *
   * @return the running inbox
   * @throws IllegalStateException if parts are missing or do not fit together, naming all of them,
   *     or another consumer has the tables
   * @throws io.waybill.store.StoreException if the database does not answer
   */
  public Inbox start() {
    InboxSettings chosen = settings.apply(InboxSettings.defaults());
    check(chosen);
    InboxParts.Times times = new InboxParts.Times(handlerTimeout, revocationWait, dedupeWindow);
    InboxStore tables = Objects.requireNonNull(store);
    return new Inbox(
        new InboxParts(
            name,
            tables,
            Objects.requireNonNull(subscriber),
            Objects.requireNonNull(publisher),
            deadLetters,
            new Handlers(registrations, unknownTypes),
            new HandlerCall(interceptor, errors, tables::names),
            chosen,
            times,
            listener));
  }

  private void check(InboxSettings chosen) {
    List<String> found = new ArrayList<>();
    missing(found, "store", store);
    missing(found, "subscriber", subscriber);
    missing(found, "deadLetters", publisher);
    if (registrations.isEmpty()) {
      found.add("handler must be given at least once");
    }
    if (handlerTimeout.isNegative() || handlerTimeout.isZero()) {
      found.add("handlerTimeout must be more than zero, is " + handlerTimeout);
    }
    if (store != null) {
      store.statementLimit().ifPresent(limit -> withinStatement(found, limit));
    }
    longerThan(found, "the longest retry", chosen.longestRetry());
    longerThan(found, "brokerRetention", brokerRetention);
    Duration claim = chosen.deferred().claim();
    if (claim.compareTo(handlerTimeout.multipliedBy(2)) < 0) {
      found.add(
          "the claim of deferred events must be at least twice handlerTimeout ("
              + handlerTimeout
              + "), is "
              + claim);
    }
    if (!found.isEmpty()) {
      throw new IllegalStateException("Inbox " + name + ": " + String.join("; ", found));
    }
  }

  private void withinStatement(List<String> found, Duration limit) {
    if (handlerTimeout.compareTo(limit) >= 0) {
      found.add(
          "handlerTimeout must be less than the statement limit of the store ("
              + limit
              + "), after which the database ends a handler's transaction, is "
              + handlerTimeout);
    }
  }

  private void longerThan(List<String> found, String what, Duration least) {
    if (dedupeWindow.compareTo(least) <= 0) {
      found.add(
          "dedupeWindow must be longer than " + what + " (" + least + "), is " + dedupeWindow);
    }
  }

  private static void missing(List<String> found, String part, @Nullable Object value) {
    if (value == null) {
      found.add(part + " must be given");
    }
  }
}
