package io.waybill.rabbitmq.internal.send;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import io.waybill.broker.Outgoing;
import io.waybill.message.Destination;
import io.waybill.rabbitmq.internal.CloseCause;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who travels alone. */
class WaitingSendsTest {
  private static final CloseCause TOO_LARGE =
      new CloseCause(AMQP.PRECONDITION_FAILED, "too large", true);
  private static final CloseCause MISSING = new CloseCause(AMQP.NOT_FOUND, "no exchange", true);

  private long nextId = 1;

  private Send send(String eventId) {
    byte[] key = eventId.getBytes(StandardCharsets.UTF_8);
    return new Send(
        new Outgoing(
            nextId++,
            Destination.exchange("shop", "orders"),
            key,
            new byte[1],
            "text/plain",
            eventId,
            "Tested",
            1000,
            List.of()),
        Long.MAX_VALUE);
  }

  /** One whose exchange has taken a message already. */
  private WaitingSends waiting(boolean strict) {
    WaitingSends waiting = new WaitingSends(strict);
    waiting.answered(send("first"));
    return waiting;
  }

  @Test
  void whatClosedItsChannelGoesAloneUntilItIsTaken() {
    WaitingSends waiting = waiting(false);
    waiting.isolation().convicted(send("large"), TOO_LARGE);
    waiting.add(send("large"));
    waiting.add(send("other"));

    assertThat(waiting.takeInnocent().message().eventId()).isEqualTo("other");
    Send large = waiting.takeSuspect();
    assertThat(large.message().eventId()).isEqualTo("large");

    waiting.answered(large);
    waiting.add(send("large"));
    assertThat(waiting.hasInnocent()).as("the broker takes it now").isTrue();
  }

  @Test
  void whatADestinationRefusedGoesBesideTheMainChannelForAsLongAsTheConnectionLives() {
    WaitingSends waiting = waiting(false);
    waiting.isolation().refused(send("one"));
    waiting.add(send("one"));
    assertThat(waiting.hasInnocent()).isFalse();

    waiting.answered(waiting.takeRefused());
    waiting.add(send("one"));
    assertThat(waiting.hasRefused()).as("the main channel may refuse it still").isTrue();

    waiting.isolation().forgetConnection();
    waiting.answered(send("first"));
    waiting.sort();
    assertThat(waiting.hasInnocent()).isTrue();
  }

  @Test
  void whatWasSilentAndThenClosedItsChannelGoesAloneFromThenOn() {
    WaitingSends waiting = waiting(false);
    waiting.isolation().silent(send("one"));
    waiting.isolation().raise(send("one"));
    waiting.add(send("another"));
    assertThat(waiting.hasSilent())
        .as("beside others it would close their channel again")
        .isFalse();
    assertThat(waiting.hasSuspect()).isTrue();

    waiting.isolation().silent(send("one"));
    waiting.isolation().convicted(send("one"), MISSING);
    waiting.sort();
    assertThat(waiting.hasSilent()).as("the exchange refused it").isFalse();
  }

  @Test
  void ofAMissingExchangeNoEventIsRemembered() {
    WaitingSends waiting = waiting(false);
    for (int i = 0; i < 100; i++) {
      waiting.isolation().convicted(send("event-" + i), MISSING);
    }
    for (int i = 0; i < 100; i++) {
      waiting.add(send("event-" + i));
    }
    assertThat(waiting.hasInnocent()).as("the exchange may still be missing").isFalse();

    waiting.answered(waiting.takeSuspect());
    assertThat(waiting.hasSuspect()).as("the exchange is there again").isFalse();
  }

  @Test
  void whatHadToWaitBehindASuspectDoesSoNoLongerThanTheSuspect() {
    WaitingSends waiting = waiting(true);
    waiting.isolation().convicted(send("large"), TOO_LARGE);
    waiting.add(send("large"));
    waiting.add(send("behind"));
    Send large = waiting.takeSuspect();
    assertThat(waiting.hasInnocent()).isFalse();

    waiting.answered(large);

    assertThat(waiting.takeInnocent().message().eventId()).isEqualTo("behind");
    assertThat(waiting.hasSuspect()).isFalse();
  }

  @Test
  void whatIsRefusedAgainAndAgainIsForgottenLast() {
    WaitingSends waiting = waiting(false);
    waiting.isolation().convicted(send("large"), TOO_LARGE);
    for (int i = 0; i < 9_999; i++) {
      waiting.isolation().raise(send("event-" + i));
    }
    waiting.isolation().convicted(send("large"), TOO_LARGE);
    waiting.isolation().raise(send("one-more"));
    waiting.answered(send("first"));

    assertThat(waiting.isolation().isOn(send("large"))).isTrue();
    assertThat(waiting.isolation().isOn(send("event-0"))).isFalse();
  }
}
