package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.handler.EventHandler;
import io.waybill.handler.PermanentException;
import io.waybill.handler.TemporaryException;
import io.waybill.inbox.Inbox;
import io.waybill.message.Transport;
import io.waybill.policy.InboxSettings;
import io.waybill.policy.RetryPolicy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * An event is applied or is a dead letter, and not both, though its lane moves to a version whose
 * handler is mended while the confirmation of the letter is under way, and though the letter is
 * sent again by an operator.
 */
public abstract class InboxOutcomeContract extends InboxContract {
  private static final EventHandler MENDED = (event, connection) -> addOne(connection, event.id());

  private final List<Inbox> inboxes = new ArrayList<>();
  private final HandBroker former = new HandBroker();
  private final HandBroker next = new HandBroker();

  @AfterEach
  void end() {
    inboxes.forEach(inbox -> inbox.stop(Duration.ZERO));
  }

  /** Of the same consumer; what one has claimed and leaves is the other's soon. */
  private void start(HandBroker broker, EventHandler handler) {
    RetryPolicy once = RetryPolicy.builder().attemptLimit(1).build();
    RetryPolicy soon =
        RetryPolicy.builder()
            .exponential(Duration.ofMillis(1), 1, Duration.ofMillis(1))
            .attemptLimit(5)
            .build();
    inboxes.add(
        Inbox.builder()
            .store(open("a"))
            .subscriber(broker)
            .deadLetters(broker, Transport.KAFKA)
            .settings(
                defaults ->
                    defaults
                        .retries(once, soon)
                        .deferred(
                            new InboxSettings.Deferred(
                                Duration.ofMillis(50), 10, Duration.ofSeconds(1))))
            .handlerTimeout(Duration.ofMillis(500))
            .handler(HandBroker.TYPE, handler)
            .start());
  }

  private static void await(Callable<Boolean> condition) {
    Awaitility.await()
        .atMost(Patience.of(Duration.ofSeconds(30)))
        .pollInterval(Duration.ofMillis(10))
        .until(condition);
  }

  /** The letter is stored, and its lane leaves before its confirmation. */
  private void giveUp(EventHandler handler) {
    former.silent = true;
    start(former, handler);
    former.deliver(List.of("p1"));
    await(() -> !former.letters.isEmpty());
    former.revoke();
  }

  /** Nothing of the event is open, and what followed it is done. */
  private void takeOver() {
    start(next, MENDED);
    next.deliver(List.of("p1", "p2"));
    await(() -> texts("select id from effect where id = 'p2'").size() == 1);
    await(() -> texts("select event_id from waybill_inbox_deferred").isEmpty());
  }

  private void assertIsAppliedOnceByItsRedrive() throws SQLException {
    assertThat(texts("select n from effect where id = 'p1'"))
        .as("effects, with %d letters stored", former.letters.size() + next.letters.size())
        .isEmpty();
    next.deliverRedriven("p1", "a");
    await(() -> next.acknowledged.size() == 3);
    assertThat(texts("select n from effect where id = 'p1'")).containsExactly("1");
  }

  @Test
  void whatHasALetterIsNotAppliedByTheNextOwner() throws SQLException {
    giveUp(
        (event, connection) -> {
          throw new PermanentException("not mended yet");
        });
    takeOver();
    assertIsAppliedOnceByItsRedrive();
  }

  @Test
  void whatHasALetterAfterALaterAttemptIsNotAppliedByTheNextOwner() throws SQLException {
    AtomicInteger calls = new AtomicInteger();
    giveUp(
        (event, connection) -> {
          if (calls.incrementAndGet() == 1) {
            throw new TemporaryException("put off");
          }
          throw new PermanentException("not mended yet");
        });
    takeOver();
    assertIsAppliedOnceByItsRedrive();
  }

  @Test
  void noIdOfAProducerIsThatOfAnEventThatWasSentAgain() throws SQLException {
    giveUp(
        (event, connection) -> {
          throw new PermanentException("not mended yet");
        });
    takeOver();
    next.deliver(List.of("p1~1"));
    await(() -> texts("select n from effect where id = 'p1~1'").size() == 1);
    next.deliverRedriven("p1", "a");
    await(() -> next.acknowledged.size() == 4);
    assertThat(texts("select n from effect where id = 'p1'")).containsExactly("1");
  }

  @Test
  void copiedMarksOfAnEventThatWasSentAgainAreNothingToAnotherEvent() throws SQLException {
    start(next, MENDED);
    next.deliverMarked("derived", 1, "another", "p1");
    next.deliver(List.of("copied"));
    for (int times = 1; times < 4; times++) {
      next.deliverMarked("copied", times, "a", "p1");
    }
    await(() -> next.acknowledged.size() == 5);
    assertThat(texts("select id from effect where id = 'derived'")).containsExactly("derived");
    assertThat(texts("select n from effect where id = 'copied'")).containsExactly("1");
  }
}
