package io.waybill.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.broker.Outgoing;
import io.waybill.store.OutboxRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Destinations that come out of templates: there may be one for each event. */
class ManyDestinationsTest {
  private static final int BOUND =
      EngineRun.DEFAULTS.maxBreakers() + Destinations.mostCommon(EngineRun.DEFAULTS) + 2;

  @Test
  void nothingIsRememberedOfAMillionDestinationsThatAnswer() {
    EngineRun run = EngineRun.of(EngineRun.DEFAULTS).started();
    int most = 0;
    for (int i = 0; i < 1_000_000; i += 50) {
      List<OutboxRow> rows = new ArrayList<>();
      for (int j = i; j < i + 50; j++) {
        rows.add(run.row("orders/" + j, "k" + j % 50));
      }
      run.read(rows.toArray(OutboxRow[]::new));
      most = Math.max(most, run.rememberedDestinations());
      answer(run, true);
    }
    assertThat(most).isZero();
    assertThat(run.rememberedDestinations()).isZero();
  }

  @Test
  void ofDestinationsThatRefuseABoundedNumberIsRememberedAndOthersFlow() {
    EngineRun run = EngineRun.of(EngineRun.bounds(20_000, 1 << 30, 8_000, 100)).started();
    int healthy = 0;
    for (int i = 0; i < 100; i++) {
      List<OutboxRow> rows = new ArrayList<>();
      for (int j = 0; j < 50; j++) {
        int number = i * 50 + j;
        rows.add(run.row("orders/unbound" + number, "u" + number));
        rows.add(run.row("orders/bound" + number, "b" + number));
      }
      run.read(rows.toArray(OutboxRow[]::new));
      healthy += answer(run, false);
    }
    assertThat(healthy).as("of the same exchange, at once").isEqualTo(5_000);
    assertThat(run.rememberedDestinations()).isGreaterThan(500).isLessThanOrEqualTo(BOUND);

    for (int i = 0; i < 20; i++) {
      run.idle(Duration.ofMillis(500));
      assertThat(answer(run, false)).isZero();
    }
    int flowed = 0;
    for (int i = 0; i < 500; i++) {
      run.idle(Duration.ofMillis(10));
      flowed += answer(run, true);
    }
    assertThat(flowed).as("within five seconds of the repair").isEqualTo(5_000);
    assertThat(run.rememberedDestinations()).isZero();
  }

  @Test
  void aKeyThatIsAnsweredLeavesTheCommonBreakerToThoseThatAreNot() {
    EngineRun run = EngineRun.of(EngineRun.bounds(20_000, 1 << 30, 8_000, 100)).started();
    for (int i = 0; i < 40; i++) {
      List<OutboxRow> rows = new ArrayList<>();
      for (int j = 0; j < 50; j++) {
        rows.add(run.row("orders/unbound" + (i * 50 + j), "u" + (i * 50 + j)));
      }
      run.read(rows.toArray(OutboxRow[]::new));
      run.refuse(run.sends());
    }
    Set<String> mended = new HashSet<>();
    for (int i = 0; i < 10_000 && mended.size() < 500; i++) {
      run.idle(Duration.ofMillis(10));
      for (Outgoing message : run.sends()) {
        int number = Integer.parseInt(message.destination().routingKey().substring(7));
        if (number >= 1_500) {
          run.confirm(List.of(message));
          mended.add(message.eventId());
        } else {
          run.refuse(List.of(message));
        }
      }
      run.take(Effect.Notify.class);
    }
    assertThat(mended).hasSize(500);
  }

  private static boolean unbound(Outgoing message) {
    return message.destination().routingKey().startsWith("unbound");
  }

  private static int answer(EngineRun run, boolean repaired) {
    List<Outgoing> sends = run.sends();
    List<Outgoing> fine = sends.stream().filter(message -> repaired || !unbound(message)).toList();
    run.confirm(fine);
    run.refuse(sends.stream().filter(message -> !repaired && unbound(message)).toList());
    run.settleAll();
    run.take(Effect.Notify.class);
    return fine.size();
  }
}
