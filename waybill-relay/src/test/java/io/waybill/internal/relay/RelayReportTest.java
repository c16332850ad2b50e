package io.waybill.internal.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.waybill.store.FailingDestination;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a renewal says of destinations that take no events. */
class RelayReportTest {
  private static final Duration INTERVAL = EngineRun.DEFAULTS.renewInterval();
  private static final Duration STEP = Duration.ofMillis(100);

  private final EngineRun run = EngineRun.of(EngineRun.DEFAULTS).started();

  /** What the next renewal says. */
  private List<FailingDestination> renewed() {
    for (int i = 0; i < 100; i++) {
      run.pass(STEP);
      List<Effect.Renew> renewals = run.take(Effect.Renew.class);
      run.answerAll();
      if (!renewals.isEmpty()) {
        renewals.forEach(run::answer);
        return renewals.get(0).report().failing();
      }
    }
    throw new AssertionError("no renewal");
  }

  @Test
  void allIsWell() {
    assertThat(renewed()).isEmpty();
  }

  @Test
  void aDestinationThatRefusesIsNamedWithReasonAndSinceWhenUntilItAnswers() {
    run.read(run.row("orders", "a"));
    run.refuse(run.sends());

    assertThat(renewed())
        .singleElement()
        .returns("unroutable", FailingDestination::reason)
        .returns("no queue", FailingDestination::detail)
        .satisfies(each -> assertThat(each.forMillis()).isBetween(1L, INTERVAL.toMillis()));

    run.pass(Duration.ofSeconds(3));
    run.confirm(run.sends());
    assertThat(renewed()).isEmpty();
  }

  @Test
  void oneThatAnOperatorHasPausedIsNotNamed() {
    run.read(run.row("orders", "a"));
    run.refuse(run.sends());
    String name = renewed().get(0).destination();

    run.pauseDestinations(name);

    assertThat(renewed()).isEmpty();
  }

  @Test
  void aBrokerThatIsAwayIsNamedAsAWhole() {
    run.apply(Input.Signal.PUBLISHER_UNAVAILABLE);

    assertThat(renewed())
        .singleElement()
        .returns(FailingDestination.BROKER, FailingDestination::destination)
        .returns("broker-unavailable", FailingDestination::reason);

    run.apply(Input.Signal.PUBLISHER_AVAILABLE);
    assertThat(renewed()).isEmpty();
  }
}
