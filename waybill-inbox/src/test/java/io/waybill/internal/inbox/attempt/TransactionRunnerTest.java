package io.waybill.internal.inbox.attempt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.waybill.broker.Delivery;
import io.waybill.handler.BatchHandler;
import io.waybill.handler.ErrorClassifier;
import io.waybill.handler.EventHandler;
import io.waybill.handler.Interceptor;
import io.waybill.handler.PermanentException;
import io.waybill.handler.Registration;
import io.waybill.handler.TemporaryException;
import io.waybill.inbox.MemoryStore;
import io.waybill.internal.encode.Decoded;
import io.waybill.internal.encode.Decoder;
import io.waybill.message.Headers;
import io.waybill.store.DedupeKey;
import io.waybill.store.DeferredEvent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What nobody expects to be thrown: no transaction stays open, whatever it is. */
class TransactionRunnerTest {
  private static final DedupeKey SIGHTING = new DedupeKey("e1", "placed", "orders", null);
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final MemoryStore store = new MemoryStore();
  private final AtomicLong nanos = new AtomicLong();
  private final HandlerDeadline watch = new HandlerDeadline(nanos::get, LIMIT, Runnable::run);
  private ErrorClassifier classifier = ErrorClassifier.ofDefaults();

  @AfterEach
  void nothingIsLeft() {
    assertThat(store.open).as("open transactions").hasValue(0);
    nanos.addAndGet(LIMIT.multipliedBy(2).toNanos());
    assertThat(watch.look()).isEqualTo(HandlerDeadline.State.FINE);
  }

  private Outcome run(Work work) {
    return run(work, store.server());
  }

  private Outcome run(Work work, String server) {
    HandlerCall call = new HandlerCall(Interceptor.NONE, classifier, sql -> "");
    return new TransactionRunner(
            new TransactionRunner.Tools(store, "owner", call, nanos::get, 1), watch, server)
        .run(work);
  }

  private static Work handling(EventHandler handler) {
    BatchHandler each = (events, connection) -> handler.handle(events.get(0), connection);
    Plan plan = new Plan.Handle(new Registration("placed", 1, 1, each));
    Headers headers = Headers.of(Map.of("waybill-event-id", "e1", "waybill-event-type", "placed"));
    Delivery delivery = new Delivery("orders", "l", 0, null, null, headers, 0, false, 0, "token");
    Decoded decoded = new Decoder().decode(delivery);
    Task task = new Task(SIGHTING, ((Decoded.Event) decoded).event(), plan, delivery, null);
    return new Work.Handle(1, List.of(task), Work.Mark.NONE);
  }

  @Test
  void whatWasHandedOutOnAnotherServerDoesNotBegin() {
    AtomicInteger calls = new AtomicInteger();
    Work work = handling((event, connection) -> calls.incrementAndGet());

    assertThat(run(work, "another")).isInstanceOf(Outcome.StoreDown.class);
    assertThat(calls).hasValue(0);
    assertThat(run(work)).isInstanceOf(Outcome.Done.class);
    assertThat(calls).hasValue(1);
  }

  static Stream<Error> errorsOfDrivers() {
    return Stream.of(
        new StackOverflowError(),
        new OutOfMemoryError("Java heap space"),
        new NoClassDefFoundError("org/postgresql/util/Missing"));
  }

  @ParameterizedTest
  @MethodSource("errorsOfDrivers")
  void anErrorOfTheDriverIsAnOutageAndItsConnectionServesNobodyAnyMore(Error error) {
    store.nextLook.set(error);
    Outcome outcome = run(handling((event, connection) -> {}));

    boolean passes = error instanceof OutOfMemoryError;
    assertThat(outcome).isEqualTo(new Outcome.StoreDown(Failure.describe(error), passes, false));
    assertThat(store.aborted).hasValue(1);
    assertThat(store.processed).isEmpty();
  }

  @Test
  void anErrorOfTheRollbackIsNoReasonToKeepTheConnection() {
    store.nextRollback.set(new StackOverflowError());
    Outcome outcome =
        run(
            handling(
                (event, connection) -> {
                  throw new PermanentException("poison");
                }));

    assertThat(outcome).isInstanceOf(Outcome.Failed.class);
  }

  @Test
  void aMistakeInADecisionLeavesNoTransactionOpen() {
    DeferredEvent event =
        new DeferredEvent(SIGHTING, null, Headers.NONE, 0, 1, 0, "broken", null, false);
    Task task = new Task(SIGHTING, null, new Plan.PassOver("another"), null, event);

    assertThatIllegalStateException()
        .isThrownBy(() -> run(new Work.Retry(1, task, Work.Mark.NONE)));
    assertThat(store.aborted).hasValue(1);
  }

  @Test
  void aClassifierThatFailsHasSaidNothing() {
    classifier =
        failure -> {
          throw new IllegalStateException("a mistake in the classifier");
        };
    Outcome outcome =
        run(
            handling(
                (event, connection) -> {
                  throw new TemporaryException("later");
                }));

    assertThat(outcome).isEqualTo(new Outcome.Failed(new Failure(true, "later"), false));
  }

  @Test
  void anErrorInAHandlerMayBeItsDriversSoTheConnectionServesNobodyAnyMore() {
    Outcome outcome =
        run(
            handling(
                (event, connection) -> {
                  throw new NoClassDefFoundError("org/postgresql/util/Missing");
                }));

    assertThat(outcome).isInstanceOf(Outcome.Failed.class);
    assertThat(store.aborted).hasValue(1);
    assertThat(store.processed).isEmpty();
  }

  @Test
  void aFailureThatCannotTellWhatItIsIsOneAllTheSame() {
    Outcome outcome =
        run(
            handling(
                (event, connection) -> {
                  throw new Untellable();
                }));

    assertThat(outcome)
        .isEqualTo(new Outcome.Failed(new Failure(false, Untellable.class.getName()), false));
  }

  private static final class Untellable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new IllegalStateException("a mistake in the message");
    }

    @Override
    public synchronized Throwable getCause() {
      throw new IllegalStateException("a mistake in the cause");
    }
  }
}
