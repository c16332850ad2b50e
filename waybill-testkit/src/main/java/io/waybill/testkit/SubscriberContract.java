package io.waybill.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.waybill.broker.Delivery;
import io.waybill.broker.Reach;
import io.waybill.broker.Subscriber;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What every {@link Subscriber} has to keep, on a real broker. A subscriber's test extends it,
 * starts the broker once and gives it by {@link #source}.
 */
public abstract class SubscriberContract extends SubscriberFaultContract {
  /** For subclasses. */
  protected SubscriberContract() {}

  @Test
  void deliversEachMessageOnceInOrderWithAllItsParts() {
    String source = broker.create("parts");
    broker.publish(source, "key-ß", numbers(0, 500));
    SubscriberRecorder recorder = new SubscriberRecorder();
    Subscriber subscriber = broker.subscriber(List.of(source), 1000);
    start(subscriber, recorder);
    await(() -> recorder.count() >= 500);
    assertThat(recorder.bodies()).containsExactlyElementsOf(numbers(0, 500));
    assertThat(recorder.deliveries())
        .allSatisfy(
            each -> {
              assertThat(each.source()).isEqualTo(source);
              assertThat(each.key()).isEqualTo("key-ß".getBytes(UTF_8));
              assertThat(each.timestampMicros()).isPositive();
              assertThat(each.headers().get("plain")).isEqualTo("wert ÄÖ 名");
            });
    assertThat(recorder.deliveries().stream().map(Delivery::lane).distinct()).hasSize(1);
    assertThat(recorder.deliveries()).isSortedAccordingTo(comparingPositions());
    assertThat(recorder.transport()).containsExactly("available");
    assertThatIllegalStateException().isThrownBy(() -> subscriber.start(recorder));
  }

  private static Comparator<Delivery> comparingPositions() {
    return Comparator.comparingLong(Delivery::position);
  }

  @Test
  void whatIsAcknowledgedDoesNotComeAgainAndTheRestDoes() {
    String source = broker.create("acked");
    broker.publish(source, "k", numbers(0, 50));
    SubscriberRecorder first = new SubscriberRecorder();
    Subscriber subscriber = start(first, source);
    await(() -> first.count() >= 50);
    subscriber.acknowledge(first.deliveries().subList(0, 20));
    subscriber.close();
    subscriber.close();
    subscriber.acknowledge(first.deliveries());

    SubscriberRecorder second = new SubscriberRecorder();
    start(second, source);
    await(() -> second.count() >= 30);
    assertThat(second.bodies()).containsExactlyElementsOf(numbers(20, 50));
    assertThat(second.deliveries()).allMatch(Delivery::redelivered);
    assertThat(first.lost()).isEmpty();
  }

  @Test
  void acknowledgementsOutOfOrderSkipNothing() {
    String source = broker.create("outoforder");
    broker.publish(source, "k", numbers(0, 40));
    SubscriberRecorder first = new SubscriberRecorder();
    Subscriber subscriber = start(first, source);
    await(() -> first.count() >= 40);
    List<Delivery> all = first.deliveries();
    for (int i = 39; i >= 0; i--) {
      if (i % 10 != 7) {
        subscriber.acknowledge(List.of(all.get(i)));
      }
    }
    subscriber.close();

    SubscriberRecorder second = new SubscriberRecorder();
    Subscriber next = start(second, source);
    await(() -> second.bodies().containsAll(List.of("7", "17", "27", "37")));
    assertThat(second.bodies())
        .doesNotContainAnyElementsOf(numbers(0, 7))
        .isSortedAccordingTo(Comparator.comparingInt(Integer::parseInt));
    next.acknowledge(second.deliveries());
    next.close();

    broker.publish(source, "k", List.of("end"));
    SubscriberRecorder third = new SubscriberRecorder();
    start(third, source);
    await(() -> third.count() >= 1);
    assertThat(third.bodies()).containsExactly("end");
  }

  @Test
  void whatIsGivenBackComesAgainInOrderAndNothingElseDoes() {
    String source = broker.create("givenback");
    broker.publish(source, "k", numbers(0, 10));
    SubscriberRecorder recorder = new SubscriberRecorder();
    Subscriber subscriber = start(recorder, source);
    await(() -> recorder.count() >= 10);
    List<Delivery> all = recorder.deliveries();
    subscriber.release(List.of(all.get(5), all.get(3), all.get(9)));
    await(() -> recorder.count() >= 13);
    assertThat(recorder.bodies().subList(10, 13)).containsExactly("3", "5", "9");
    assertThat(recorder.deliveries().subList(10, 13)).allMatch(Delivery::redelivered);

    subscriber.acknowledge(all.subList(0, 3));
    subscriber.acknowledge(recorder.deliveries().subList(10, 12));
    subscriber.release(recorder.deliveries().subList(12, 13));
    broker.publish(source, "k", List.of("10"));
    await(() -> recorder.count() >= 15);
    assertThat(recorder.bodies().subList(13, 15)).containsExactly("9", "10");
    subscriber.close();

    SubscriberRecorder second = new SubscriberRecorder();
    start(second, source);
    await(() -> second.bodies().containsAll(List.of("4", "6", "7", "8", "9", "10")));
    assertThat(second.bodies()).doesNotContain("0", "1", "2", "3");
  }

  @Test
  void aPausedLaneRestsAndOthersFlow() {
    String paused = broker.create("paused");
    String other = broker.create("flows");
    SubscriberRecorder recorder = new SubscriberRecorder();
    Subscriber subscriber = start(recorder, paused, other);
    broker.publish(paused, "k", numbers(0, 1));
    await(() -> recorder.count() == 1);
    String lane = recorder.deliveries().get(0).lane();
    subscriber.pause(lane);
    // Two rounds of the other lane: a delivery that was under way when the lane was paused is over.
    broker.publish(other, "k", List.of("a"));
    await(() -> recorder.bodies().contains("a"));
    int before = recorder.count();
    broker.publish(paused, "k", numbers(1, 50));
    broker.publish(other, "k", List.of("b"));
    await(() -> recorder.bodies().contains("b"));
    broker.publish(other, "k", List.of("c"));
    await(() -> recorder.bodies().contains("c"));
    assertThat(recorder.count()).isEqualTo(before + 2);
    subscriber.release(recorder.deliveries().subList(0, 1));
    broker.publish(other, "k", List.of("d"));
    await(() -> recorder.bodies().contains("d"));
    assertThat(recorder.count()).isEqualTo(before + 3);

    subscriber.resume(lane);
    await(() -> recorder.count() >= before + 3 + 50);
    assertThat(recorder.bodies().subList(before + 3, before + 53))
        .containsExactlyElementsOf(numbers(0, 50));
  }

  @Test
  void whatIsOutIsBoundedUntilItIsAcknowledged() {
    String source = broker.create("bounded");
    String other = broker.create("unbounded");
    broker.publish(source, "k", numbers(0, 2_000));
    SubscriberRecorder recorder = new SubscriberRecorder();
    Subscriber subscriber = start(recorder, source, other);
    await(() -> recorder.count() >= WINDOW);
    broker.publish(other, "k", List.of("a"));
    await(() -> recorder.bodies().contains("a"));
    broker.publish(other, "k", List.of("b"));
    await(() -> recorder.bodies().contains("b"));
    assertThat(recorder.count() - 2).isBetween(WINDOW, broker.mostOut(WINDOW));
    Set<Delivery> done = new HashSet<>();
    await(
        () -> {
          List<Delivery> news = new ArrayList<>(recorder.deliveries());
          news.removeAll(done);
          subscriber.acknowledge(news);
          done.addAll(news);
          return done.size() == 2_002;
        });
    assertThat(recorder.count()).isEqualTo(2_002);
  }

  @Test
  void isQuietAfterAStopAndStillAcknowledges() {
    String source = broker.create("stopped");
    broker.publish(source, "k", numbers(0, 20));
    SubscriberRecorder recorder = new SubscriberRecorder();
    Subscriber subscriber = start(recorder, source);
    await(() -> recorder.count() >= 20);
    subscriber.stop();
    subscriber.stop();
    broker.publish(source, "k", numbers(20, 40));
    subscriber.release(recorder.deliveries().subList(15, 20));
    subscriber.acknowledge(recorder.deliveries().subList(0, 15));
    subscriber.close();
    assertThat(recorder.count()).isEqualTo(20);
    assertThat(recorder.revoked()).isEmpty();
    assertThat(recorder.lost()).isEmpty();

    SubscriberRecorder next = new SubscriberRecorder();
    start(next, source);
    await(() -> next.count() >= 25);
    assertThat(next.bodies()).containsExactlyElementsOf(numbers(15, 40));
  }

  @Test
  void tellsHowFarALaneIsBehind() {
    String source = broker.create("lag");
    broker.publish(source, "k", numbers(0, 3_000));
    SubscriberRecorder recorder = new SubscriberRecorder();
    Subscriber subscriber = start(recorder, source);
    await(() -> recorder.count() >= WINDOW);
    String lane = recorder.deliveries().get(0).lane();
    await(() -> subscriber.lag().getOrDefault(lane, 0L) >= 3_000 - broker.mostOut(WINDOW));
    assertThat(subscriber.lag()).containsOnlyKeys(lane);
  }

  @Test
  void readsAgainOrSaysThatItCannot() {
    String source = broker.create("again");
    broker.publish(source, "k", numbers(0, 10));
    SubscriberRecorder recorder = new SubscriberRecorder();
    Subscriber subscriber = start(recorder, source);
    await(() -> recorder.count() == 10);
    Delivery first = recorder.deliveries().get(0);
    subscriber.acknowledge(recorder.deliveries());
    Map<String, Long> back = Map.of(first.lane(), first.position());
    if (subscriber.canRewind()) {
      await(() -> isAcknowledged(subscriber.reach().get(first.lane())));
      subscriber.rewind(back);
      await(() -> recorder.count() == 20);
      assertThat(recorder.bodies().subList(10, 20)).isEqualTo(numbers(0, 10));
      assertThat(recorder.lost()).containsExactly(first.lane());
    } else {
      assertThat(subscriber.reach()).isEmpty();
      assertThatExceptionOfType(UnsupportedOperationException.class)
          .isThrownBy(() -> subscriber.rewind(back));
    }
  }

  private static boolean isAcknowledged(@Nullable Reach reach) {
    return reach != null && reach.done() == reach.next();
  }

  @Test
  void canBeClosedBeforeItWasStarted() {
    Subscriber subscriber = broker.subscriber(List.of(broker.create("unstarted")), WINDOW);
    subscriber.acknowledge(List.of());
    subscriber.pause("nothing");
    subscriber.resume("nothing");
    subscriber.stop();
    subscriber.close();
    assertThatIllegalStateException().isThrownBy(() -> subscriber.start(new SubscriberRecorder()));
  }
}
