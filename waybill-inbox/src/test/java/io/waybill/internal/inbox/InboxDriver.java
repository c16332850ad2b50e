package io.waybill.internal.inbox;

import io.waybill.broker.Confirmation;
import io.waybill.broker.Delivery;
import io.waybill.handler.Registration;
import io.waybill.handler.UnknownTypes;
import io.waybill.internal.encode.DeadLetter;
import io.waybill.internal.encode.DeadLetterEncoder;
import io.waybill.internal.encode.Decoded;
import io.waybill.internal.encode.Decoder;
import io.waybill.internal.encode.RedriveMarks;
import io.waybill.internal.inbox.attempt.Failure;
import io.waybill.internal.inbox.attempt.Outcome;
import io.waybill.internal.inbox.attempt.Outcome.Fate;
import io.waybill.internal.inbox.attempt.Work;
import io.waybill.message.Destination;
import io.waybill.message.Headers;
import io.waybill.observe.InboxEvent;
import io.waybill.policy.InboxSettings;
import io.waybill.store.DedupeKey;
import io.waybill.store.DeferredEvent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Feeds an engine and keeps what it wants done. Events are named by key and number: a1, a2, b1. */
public final class InboxDriver {
  public static final String SINGLE = "single";
  public static final String BATCH = "batch";
  private static final Failure TEMPORARY = new Failure(true, "broken");

  public final List<InboxEffect> effects = new ArrayList<>();
  private final InboxEngine engine;
  private final Map<String, Work> running = new LinkedHashMap<>();
  private long now;
  private int positions;
  private long revocations;
  // So many more dead letters can't be made.
  public int unmadeLetters;

  public InboxDriver(InboxSettings settings, UnknownTypes unknown) {
    this(settings, unknown, false);
  }

  private InboxDriver(InboxSettings settings, UnknownTypes unknown, boolean alone) {
    DeadLetterEncoder encoder = new DeadLetterEncoder("test");
    this.engine =
        new InboxEngine(
            "test",
            alone,
            settings,
            new Handlers(
                List.of(
                    new Registration(SINGLE, Registration.ANY_VERSION, 1, (e, c) -> {}),
                    new Registration(BATCH, Registration.ANY_VERSION, 3, (e, c) -> {})),
                unknown),
            (original, reason, error, form, sendId) ->
                encoder.encode(
                    original,
                    new DeadLetterEncoder.Verdict(reason, error, Instant.EPOCH),
                    form,
                    place(original.source()),
                    sendId),
            0);
  }

  private Destination place(String source) {
    if (unmadeLetters > 0) {
      unmadeLetters--;
      throw new IllegalArgumentException("no place for " + source);
    }
    return Destination.topic(DeadLetter.nameOf(source));
  }

  public static InboxDriver ofDefaults() {
    return new InboxDriver(InboxSettings.ofDefaults(), UnknownTypes.DEAD_LETTER);
  }

  /** The only consumer of its queues. */
  public static InboxDriver alone() {
    return new InboxDriver(InboxSettings.ofDefaults(), UnknownTypes.DEAD_LETTER, true);
  }

  public InboxDriver put(InboxInput input) {
    for (InboxEffect effect : engine.apply(input, now)) {
      effects.add(effect);
      if (effect instanceof InboxEffect.Run run) {
        running.put(names(run.work()), run.work());
      }
    }
    return this;
  }

  public InboxDriver deliver(String type, String... names) {
    return deliver(type, false, names);
  }

  public InboxDriver deliver(String type, boolean again, String... names) {
    return put(
        new InboxInput.Delivered(
            Stream.of(names).map(name -> received("lane", type, again, name)).toList()));
  }

  public InboxDriver deliverOn(String lane, String name) {
    return put(new InboxInput.Delivered(List.of(received(lane, SINGLE, false, name))));
  }

  public InboxDriver deliverRedriven(String name, @Nullable String consumer) {
    return deliverRedriven(SINGLE, name, consumer);
  }

  public InboxDriver deliverRedriven(String type, String name, @Nullable String consumer) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("waybill-event-id", name);
    headers.put("waybill-event-type", type);
    headers.put(RedriveMarks.TIMES, "2");
    headers.put(RedriveMarks.EVENT, name);
    if (consumer != null) {
      headers.put(RedriveMarks.CONSUMER, consumer);
    }
    return deliver(delivery("lane", name.substring(0, 1), Headers.of(headers), false));
  }

  public InboxDriver deliverUndecodable(String key) {
    return deliver(delivery("lane", key, Headers.NONE, false));
  }

  private ReceivedMessage received(String lane, String type, boolean again, String name) {
    Headers headers = Headers.of(Map.of("waybill-event-id", name, "waybill-event-type", type));
    return decoded(delivery(lane, name.substring(0, 1), headers, again));
  }

  private InboxDriver deliver(Delivery delivery) {
    return put(new InboxInput.Delivered(List.of(decoded(delivery))));
  }

  private static ReceivedMessage decoded(Delivery delivery) {
    return new ReceivedMessage(delivery, new Decoder().decode(delivery));
  }

  private Delivery delivery(String lane, String key, Headers headers, boolean again) {
    byte[] bytes = key.equals("-") ? null : key.getBytes(StandardCharsets.UTF_8);
    return new Delivery(
        "orders", lane, positions++, bytes, new byte[10], headers, 0, again, 0, "token");
  }

  public InboxDriver fetched(String name, int attempts, @Nullable String deadReason) {
    return fetched(name, attempts, deadReason, Map.of());
  }

  /** One that an operator had sent again before it was deferred. */
  public InboxDriver fetchedRedriven(String name, String consumer) {
    return fetched(
        name, 1, null, Map.of(RedriveMarks.CONSUMER, consumer, RedriveMarks.EVENT, name));
  }

  private InboxDriver fetched(
      String name, int attempts, @Nullable String deadReason, Map<String, String> more) {
    Map<String, String> all = new LinkedHashMap<>(more);
    all.put("waybill-event-id", name);
    all.put("waybill-event-type", SINGLE);
    Headers headers = Headers.of(all);
    byte[] key = name.substring(0, 1).getBytes(StandardCharsets.UTF_8);
    DeferredEvent event =
        new DeferredEvent(
            new DedupeKey(name, SINGLE, "orders", key),
            new byte[] {1},
            headers,
            0,
            attempts,
            0,
            "broken",
            deadReason,
            false);
    return fetched(event);
  }

  private InboxDriver fetched(DeferredEvent event) {
    byte[] key = event.dedupeKey().key();
    Decoded decoded = new Decoder().decode("orders", key, null, event.headers(), 0);
    return put(new InboxInput.Fetched(List.of(new DueMessage(event, decoded)), 64));
  }

  /** That it is given up is on record, and it has come again for its letter, which goes out. */
  public InboxDriver givenUp(String name, String reason) {
    String work = running.containsKey("defer " + name) ? "defer " + name : "defer again " + name;
    DeferredEvent event =
        work(work) instanceof Work.Defer defer
            ? defer.event()
            : ((Work.DeferAgain) work(work)).event();
    if (!reason.equals(event.deadReason()) || event.delayMillis() != 0) {
      throw new AssertionError(name + " is given up for " + event.deadReason());
    }
    done(work, new Fate.Deferred());
    fetched(event);
    return done(name, new Fate.ToBury(reason, event.failure()));
  }

  public InboxDriver done(String names, Fate... fates) {
    return end(names, new Outcome.Done(List.of(fates)));
  }

  public InboxDriver handled(String names) {
    return handledIn(0, names);
  }

  public InboxDriver failed(String names, boolean temporary) {
    Failure failure = temporary ? TEMPORARY : new Failure(false, "refused");
    return end(names, new Outcome.Failed(failure, false));
  }

  /** The handler of each took so long. */
  public InboxDriver handledIn(long micros, String names) {
    Fate[] fates =
        Stream.of(names.split(" ", -1)).map(n -> new Fate.Handled(micros)).toArray(Fate[]::new);
    return done(names, fates);
  }

  /** The database does not take what was to be written. */
  public InboxDriver refused(String names) {
    return end(names, new Outcome.Refused("too large", false));
  }

  public InboxDriver storeDown(String names) {
    return end(names, new Outcome.StoreDown("gone", true, false));
  }

  private InboxDriver end(String names, Outcome outcome) {
    Work work = work(names);
    running.remove(names);
    return put(new InboxInput.Ended(work.id(), outcome, 10));
  }

  public InboxDriver pass(Duration time) {
    long end = now + time.toNanos();
    while (engine.deadline() <= end && engine.deadline() > now) {
      now = engine.deadline();
      put(InboxInput.Signal.TICK);
    }
    now = end;
    return put(InboxInput.Signal.TICK);
  }

  public InboxDriver revoke(String lane, boolean lost) {
    return put(new InboxInput.Revoked(++revocations, Set.of(lane), lost));
  }

  public InboxDriver confirm() {
    return put(new InboxInput.DeadLetterOutcome(new Confirmation.Confirmed(lastLetter())));
  }

  public InboxDriver refuse() {
    return put(
        new InboxInput.DeadLetterOutcome(
            new Confirmation.Refused(lastLetter(), "no-topic", "none", false)));
  }

  /** The letter, and no other one, is what the broker does not take. */
  public InboxDriver reject() {
    return put(
        new InboxInput.DeadLetterOutcome(
            new Confirmation.Rejected(lastLetter(), "too-large", "1 MiB")));
  }

  private long lastLetter() {
    List<InboxEffect.Publish> letters = all(InboxEffect.Publish.class);
    return letters.get(letters.size() - 1).message().sendId();
  }

  /** What workers have, each by the names of its events. */
  public Set<String> running() {
    return Set.copyOf(running.keySet());
  }

  public Work work(String names) {
    Work work = running.get(names);
    if (work == null) {
      throw new AssertionError(names + " is not running, but " + running.keySet());
    }
    return work;
  }

  public List<String> acknowledged() {
    return all(InboxEffect.Acknowledge.class).stream()
        .flatMap(effect -> effect.deliveries().stream())
        .map(InboxDriver::name)
        .toList();
  }

  public List<String> givenBack() {
    return all(InboxEffect.Release.class).stream()
        .flatMap(effect -> effect.deliveries().stream())
        .map(InboxDriver::name)
        .toList();
  }

  private static String name(Delivery delivery) {
    return String.valueOf(delivery.headers().get("waybill-event-id"));
  }

  public <T extends InboxEffect> List<T> all(Class<T> kind) {
    return effects.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  public <T extends InboxEvent> List<T> told(Class<T> kind) {
    return all(InboxEffect.Notify.class).stream()
        .map(InboxEffect.Notify::event)
        .filter(kind::isInstance)
        .map(kind::cast)
        .toList();
  }

  /** Whether anything is in memory that came until now. */
  public boolean holdsAnything() {
    return engine.holds(now);
  }

  public List<InboxEvent.MessageStuck> stuck() {
    return engine.stuck();
  }

  public InboxEvent.Gauges gauges() {
    return engine.gauges();
  }

  private static String names(Work work) {
    if (work instanceof Work.Handle handle) {
      return String.join(
          " ", handle.tasks().stream().map(task -> task.dedupeKey().eventId()).toList());
    }
    if (work instanceof Work.Retry retry) {
      return retry.task().dedupeKey().eventId();
    }
    if (work instanceof Work.Defer defer) {
      return "defer " + defer.event().dedupeKey().eventId();
    }
    if (work instanceof Work.DeferAgain again) {
      return "defer again " + again.event().dedupeKey().eventId();
    }
    return "bury " + ((Work.Bury) work).task().dedupeKey().eventId();
  }
}
