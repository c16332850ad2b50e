package io.waybill.inbox;

import io.waybill.broker.Publisher;
import io.waybill.broker.Subscriber;
import io.waybill.handler.BatchHandler;
import io.waybill.handler.ErrorClassifier;
import io.waybill.handler.EventHandler;
import io.waybill.handler.Interceptor;
import io.waybill.handler.PayloadReader;
import io.waybill.handler.Registration;
import io.waybill.handler.TypedHandler;
import io.waybill.handler.UnknownTypes;
import io.waybill.internal.encode.DeadLetter;
import io.waybill.internal.inbox.Handlers;
import io.waybill.internal.inbox.attempt.HandlerCall;
import io.waybill.internal.inbox.shell.InboxParts;
import io.waybill.message.Destination;
import io.waybill.message.Transport;
import io.waybill.observe.InboxListener;
import io.waybill.policy.InboxSettings;
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
   * Names the inbox, for logs and threads. Default: derived from the process id.
   *
   * @param inboxName its name
   * @return this
   */
  public InboxBuilder name(String inboxName) {
    this.name = Objects.requireNonNull(inboxName, "name");
    return this;
  }

  /**
   * Sets the tables that record processed events, in the database that handlers write to. Required;
   * the inbox opens and closes the store.
   *
   * @param inboxStore the tables of one consumer
   * @return this
   */
  public InboxBuilder store(InboxStore inboxStore) {
    this.store = Objects.requireNonNull(inboxStore, "store");
    return this;
  }

  /**
   * Sets the source of events. Required; the inbox starts and closes it.
   *
   * @param broker the broker
   * @return this
   */
  public InboxBuilder subscriber(Subscriber broker) {
    this.subscriber = Objects.requireNonNull(broker, "subscriber");
    return this;
  }

  /**
   * Sets where dead letters go: on Kafka to the topic {@code <topic>.dlt}, on RabbitMQ through the
   * default exchange to the queue {@code <queue>.dlt}. Required, in this form or the other.
   *
   * @param broker sends them; the inbox starts and closes it
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
   * Sets where dead letters go, for example on RabbitMQ through a separate exchange: {@code
   * RabbitDeadLetters.of}.
   *
   * @param broker sends them; the inbox starts and closes it
   * @param destinations maps a topic or queue to the destination of its dead letters
   * @return this
   */
  public InboxBuilder deadLetters(Publisher broker, Function<String, Destination> destinations) {
    this.publisher = Objects.requireNonNull(broker, "publisher");
    this.deadLetters = Objects.requireNonNull(destinations, "destinations");
    return this;
  }

  /**
   * Handles all versions of a type that have no specific handler.
   *
   * @param type exact event type
   * @param handler the handler
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
   * @param handler the handler
   * @return this
   */
  public InboxBuilder handler(String type, int version, EventHandler handler) {
    Objects.requireNonNull(handler, "handler");
    return register(
        type, version, 1, (events, connection) -> handler.handle(events.get(0), connection));
  }

  /**
   * Handles one version of a type, with its payload read into an object.
   *
   * @param type exact event type
   * @param version version of the type, or {@link Registration#ANY_VERSION}
   * @param reader makes an object of the payload; if it fails, the event is dead-lettered
   * @param handler the handler
   * @param <T> type of the object
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
   * Handles several events of a type in one transaction, as many as are waiting. Full batches need
   * a broker that hands out enough messages at a time: on RabbitMQ a prefetch of twice workers
   * times {@code most}.
   *
   * @param type exact event type
   * @param version version of the type, or {@link Registration#ANY_VERSION}
   * @param most most events per call, from 1 to {@link Registration#MAX_BATCH}; 100 is a good start
   * @param handler the handler
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
   * Sets what happens to events without a handler. Default: {@link UnknownTypes#DEAD_LETTER}.
   *
   * @param policy the policy
   * @return this
   */
  public InboxBuilder unknownTypes(UnknownTypes policy) {
    this.unknownTypes = Objects.requireNonNull(policy, "policy");
    return this;
  }

  /**
   * Sets which failures are temporary. Default: {@link ErrorClassifier#ofDefaults()}.
   *
   * @param classifier judges the exceptions of handlers
   * @return this
   */
  public InboxBuilder errors(ErrorClassifier classifier) {
    this.errors = Objects.requireNonNull(classifier, "classifier");
    return this;
  }

  /**
   * Sets an interceptor around every call of a handler. Default: none.
   *
   * @param around the interceptor, which for example opens a span
   * @return this
   */
  public InboxBuilder interceptor(Interceptor around) {
    this.interceptor = Objects.requireNonNull(around, "interceptor");
    return this;
  }

  /**
   * Sets the listener for the inbox's events. Default: none.
   *
   * @param told the listener, thread-safe and quick
   * @return this
   */
  public InboxBuilder listener(InboxListener told) {
    this.listener = Objects.requireNonNull(told, "listener");
    return this;
  }

  /**
   * Changes bounds, retries and intervals. Default: {@link InboxSettings#ofDefaults()}.
   *
   * @param change from the defaults to the settings
   * @return this
   */
  public InboxBuilder settings(UnaryOperator<InboxSettings> change) {
    this.settings = Objects.requireNonNull(change, "change");
    return this;
  }

  /**
   * Sets how long a handler may take before its thread is interrupted and its connection cut.
   * Default: 30 seconds.
   *
   * @param limit more than zero, less than {@link InboxStore#statementLimit}
   * @return this
   */
  public InboxBuilder handlerTimeout(Duration limit) {
    this.handlerTimeout = Objects.requireNonNull(limit, "limit");
    return this;
  }

  /**
   * Sets how long departing lanes are kept for running handlers to end. Default: 10 seconds. It
   * must be less than the time that the broker allows a member of a group.
   *
   * @param longest zero or more
   * @return this
   */
  public InboxBuilder revocationWait(Duration longest) {
    this.revocationWait = Objects.requireNonNull(longest, "longest");
    return this;
  }

  /**
   * Sets the minimum time for which processed events are remembered. A copy that arrives later is
   * applied again. Processed events are deleted an hour after that time, since brokers do not
   * delete immediately and clocks differ. Default: 14 days, as long as Kafka keeps messages by
   * default ({@code retention.ms} and {@code segment.ms} of 7 days each).
   *
   * @param age more than the longest retry and than {@link #brokerRetention}
   * @return this
   */
  public InboxBuilder dedupeWindow(Duration age) {
    this.dedupeWindow = Objects.requireNonNull(age, "age");
    return this;
  }

  /**
   * Sets how long the broker keeps messages, and so may deliver them again. Default: not known.
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
   * @throws IllegalStateException if parts are missing or do not fit together (the message names
   *     all of them), or the tables belong to another consumer
   * @throws io.waybill.store.StoreException if the database does not answer
   */
  public Inbox start() {
    InboxSettings chosen = settings.apply(InboxSettings.ofDefaults());
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
    found.addAll(
        new TimeLimits(handlerTimeout, dedupeWindow, brokerRetention).problems(store, chosen));
    if (!found.isEmpty()) {
      throw new IllegalStateException("Inbox " + name + ": " + String.join("; ", found));
    }
  }

  private static void missing(List<String> found, String part, @Nullable Object value) {
    if (value == null) {
      found.add(part + " must be given");
    }
  }
}
