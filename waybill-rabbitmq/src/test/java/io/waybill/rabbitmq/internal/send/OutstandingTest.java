package io.waybill.rabbitmq.internal.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.waybill.broker.Outgoing;
import io.waybill.message.Destination;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class OutstandingTest {
  private final Outstanding outstanding = new Outstanding(5);
  private final List<Long> taken = new ArrayList<>();

  @Test
  void takesARangeInOrder() {
    add(1, 5);
    take(3, true);
    assertThat(taken).containsExactly(1L, 2L, 3L);
    assertThat(outstanding.room()).isEqualTo(3);
  }

  @Test
  void takesAnswersThatComeOutOfOrder() {
    add(1, 5);
    take(4, false);
    take(2, false);
    assertThat(outstanding.room()).isZero();
    take(3, true);
    assertThat(taken).containsExactly(4L, 2L, 1L, 3L);
    assertThat(outstanding.room()).isEqualTo(4);
    take(5, true);
    assertThat(outstanding.isEmpty()).isTrue();
  }

  @Test
  void ignoresARepeatedAnswer() {
    add(1, 2);
    take(1, false);
    take(1, false);
    take(1, true);
    assertThat(taken).containsExactly(1L);
  }

  @Test
  void goesRoundItsRingManyTimes() {
    for (long id = 1; id <= 100; id++) {
      add(id, id);
      take(id, id % 2 == 0);
    }
    assertThat(taken).containsExactlyElementsOf(LongStream.rangeClosed(1, 100).boxed().toList());
  }

  @Test
  void refusesAnAnswerToWhatWasNotSent() {
    add(1, 2);
    assertThatThrownBy(() -> take(3, true)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void refusesMoreThanItsWindow() {
    add(1, 5);
    assertThatThrownBy(() -> add(6, 6)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void knowsWhetherASingleOneIsLeft() {
    add(1, 2);
    assertThat(outstanding.single()).isNull();
    take(1, false);
    assertThat(outstanding.single()).isNotNull();
    outstanding.takeAll(send -> taken.add(send.message().sendId()));
    assertThat(taken).containsExactly(1L, 2L);
    assertThat(outstanding.single()).isNull();
  }

  private void add(long first, long last) {
    for (long id = first; id <= last; id++) {
      Destination to = Destination.exchange("", "q");
      outstanding.add(
          new Send(new Outgoing(id, to, null, null, "text/plain", "e", "t", 1, List.of()), 0));
    }
  }

  private void take(long tag, boolean multiple) {
    outstanding.take(tag, multiple, send -> taken.add(send.message().sendId()));
  }
}
