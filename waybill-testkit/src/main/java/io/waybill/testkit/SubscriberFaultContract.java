package io.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Delivery;
import io.waybill.broker.Subscriber;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What a subscriber has to keep when another one takes over, or when it or its broker is cut off.
 */
abstract class SubscriberFaultContract {
  static final int WINDOW = 100;

  private final List<Subscriber> subscribers = new ArrayList<>();
  ContractSource broker;

  /**
   * The broker under the subscriber, running.
   *
   * @return the same broker for all tests of the class
   */
  protected abstract ContractSource source();

  @BeforeEach
  void open() {
    broker = source();
  }

  @AfterEach
  void close() {
    subscribers.forEach(Subscriber::close);
  }

  Subscriber start(SubscriberRecorder recorder, String... sources) {
    return start(broker.subscriber(List.of(sources), WINDOW), recorder);
  }

  Subscriber start(Subscriber subscriber, SubscriberRecorder recorder) {
    subscribers.add(subscriber);
    subscriber.start(recorder);
    return subscriber;
  }

  static List<String> numbers(int from, int to) {
    return IntStream.range(from, to).mapToObj(Integer::toString).toList();
  }

  private static String last(List<String> told) {
    return told.isEmpty() ? "" : told.get(told.size() - 1);
  }

  static void await(Callable<Boolean> condition) {
    Awaitility.await()
        .atMost(Patience.of(Duration.ofSeconds(40)))
        .pollInterval(Duration.ofMillis(5))
        .pollDelay(Duration.ZERO)
        .until(condition);
  }

  @Test
  void aSecondSubscriberTakesOverWithoutLossInOrder() {
    String source = broker.create("takeover");
    Worker first = new Worker(source);
    broker.publish(source, "k", numbers(0, 300));
    await(() -> first.handled.size() >= 100);
    Worker second = new Worker(source);
    broker.publish(source, "k", numbers(300, 600));
    await(() -> first.handled.size() + second.handled.size() >= 350);
    first.subscriber.stop();
    first.subscriber.close();
    broker.publish(source, "k", numbers(600, 700));
    await(() -> first.handled.size() + second.handled.size() >= 700);
    // The first one's last messages may come again; nothing is missing and nothing is early.
    Set<String> firstSights = new LinkedHashSet<>(first.handled);
    firstSights.addAll(second.handled);
    await(() -> second.handled.contains("699"));
    firstSights.addAll(second.handled);
    assertThat(firstSights).containsExactlyElementsOf(numbers(0, 700));
    List<String> repeated = new ArrayList<>(second.handled);
    repeated.retainAll(first.handled);
    assertThat(second.recorder.deliveries().stream().filter(Delivery::redelivered).count())
        .isGreaterThanOrEqualTo(repeated.size());
  }

  /** Acknowledges all it gets, at once. */
  private final class Worker {
    private final List<String> handled = new CopyOnWriteArrayList<>();
    private final SubscriberRecorder recorder = new SubscriberRecorder(this::handle, lanes -> {});
    private final Subscriber subscriber;

    Worker(String source) {
      subscriber = broker.subscriber(List.of(source), WINDOW);
      start(subscriber, recorder);
    }

    private void handle(List<Delivery> deliveries) {
      handled.addAll(SubscriberRecorder.bodies(deliveries));
      subscriber.acknowledge(deliveries);
    }
  }

  @Test
  void whatACutConsumerHadGoesToTheNextOneAndItsAcknowledgementsAreIgnored() {
    String source = broker.create("cut");
    broker.publish(source, "k", numbers(0, 20));
    SubscriberRecorder cut = new SubscriberRecorder();
    Subscriber lost = start(broker.cuttable(source), cut);
    await(() -> cut.count() >= 20);
    // Its lane may come back to it later: what it gets then it may acknowledge.
    List<Delivery> had = cut.deliveries().subList(0, 20);
    lost.acknowledge(had.subList(0, 5));
    SubscriberRecorder next = new SubscriberRecorder();
    Subscriber successor;
    broker.cut();
    try {
      successor = start(next, source);
      await(() -> next.bodies().contains("19"));
      await(() -> cut.transport().size() > 1);
      lost.acknowledge(had);
    } finally {
      broker.heal();
    }
    assertThat(cut.transport().get(1)).startsWith("unavailable: ");
    assertThat(next.bodies()).containsAll(numbers(5, 20));
    assertThat(next.deliveries()).allMatch(Delivery::redelivered);
    await(() -> last(cut.transport()).equals("available") && !cut.lost().isEmpty());
    lost.acknowledge(had);
    lost.close();
    successor.close();

    SubscriberRecorder third = new SubscriberRecorder();
    start(third, source);
    await(() -> third.bodies().contains("19"));
    assertThat(third.bodies()).containsAll(numbers(5, 20));
  }

  @Test
  void goesOnByItselfAfterTheBrokerWasKilled() {
    String source = broker.create("killed");
    broker.publish(source, "k", numbers(0, 30));
    SubscriberRecorder recorder = new SubscriberRecorder();
    Subscriber subscriber = start(recorder, source);
    await(() -> recorder.count() >= 30);
    subscriber.acknowledge(recorder.deliveries().subList(0, 10));
    broker.kill();
    SubscriberRecorder early = new SubscriberRecorder();
    Subscriber unmet = broker.subscriber(List.of(source), WINDOW);
    try {
      subscriber.acknowledge(recorder.deliveries().subList(10, 20));
      start(unmet, early);
      await(() -> recorder.transport().size() > 1 && !early.transport().isEmpty());
      unmet.close();
    } finally {
      broker.restart();
    }
    broker.publish(source, "k", numbers(30, 60));
    await(() -> recorder.bodies().contains("59"));
    await(() -> last(recorder.transport()).equals("available"));
    assertThat(recorder.transport().get(1)).startsWith("unavailable: ");
    assertThat(early.transport().get(0)).startsWith("unavailable: ");
    assertThat(new LinkedHashSet<>(recorder.bodies())).containsExactlyElementsOf(numbers(0, 60));
    subscriber.acknowledge(recorder.deliveries());
    subscriber.close();
    broker.publish(source, "k", List.of("end"));
    SubscriberRecorder next = new SubscriberRecorder();
    start(next, source);
    await(() -> next.bodies().contains("end"));
    assertThat(next.bodies()).containsExactly("end");
  }
}
