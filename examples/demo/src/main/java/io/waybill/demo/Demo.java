package io.waybill.demo;

import io.waybill.proof.Interrupts;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;

/** One run: start, watch, break things, drain, reconcile. */
final class Demo {
  private static final long TICK_MILLIS = 500;
  private static final long RELAY_TICK_MILLIS = 100;
  private static final long CALM_MILLIS = 700;
  private static final long STUCK_NANOS = Duration.ofMinutes(1).toNanos();
  private static final int SHOP_STOP_SECONDS = 25;
  private static final int SHOWN_MILLIS = 2_000;
  private static final long LEFT_NANOS = Duration.ofMinutes(5).toNanos();

  private final DemoOptions options;
  private final Screen screen;
  private final Interrupts interrupts = new Interrupts();

  Demo(DemoOptions options, Screen screen) {
    this.options = options;
    this.screen = screen;
  }

  /** Runs to the reconciliation, prints it and leaves nothing behind. */
  DemoResult run() throws Exception {
    interrupts.listen();
    screen.say("Waybill demo: PostgreSQL to " + options.broker().text());
    DemoResult result;
    try (Environment environment = Environment.launch(options.broker(), screen)) {
      result = play(environment);
    }
    if (options.json()) {
      screen.say(result.json());
    }
    return result;
  }

  private DemoResult play(Environment environment) throws Exception {
    screen.event("starting two relays and a consumer");
    Cast cast = Cast.start(environment, options.broker());
    ReceivedTail received = new ReceivedTail(cast.received());
    try (Buttons buttons = new Buttons(Faults.all(environment, cast, screen));
        DemoPage page = DemoPage.open(cast.console(), buttons, screen)) {
      try (Monitor monitor = new Monitor(environment.clientUrl(), received)) {
        awaitRelays(cast, monitor);
        invite(cast.console(), page);
        boolean played = awaitVisit(cast, page);
        int events = options.events(played);
        screen.event(
            "starting the order service: %,d events a second".formatted(options.rate(played)));
        Process shop = Cast.startShop(environment, events, options.rate(played));
        FaultPlan plan =
            played ? FaultPlan.none(buttons) : FaultPlan.script(buttons, options.events());
        watch(cast, shop, monitor, new Play(plan, buttons, page, played));
      }
      if (!options.keep()) {
        cast.stopRelays();
      }
      awaitCalm(received);
      DemoResult result = reconcile(environment, received, buttons.made());
      page.result(result.text());
      screen.say(result.text());
      if (page.wasVisited() && !interrupts.asked()) {
        // So that the page has shown it before it is gone.
        interrupts.await(SHOWN_MILLIS);
      }
      if (options.keep() && !interrupts.asked()) {
        keep(environment, cast);
      }
      return result;
    }
  }

  /** How a run is broken: by the script, or by a person. */
  private record Play(FaultPlan plan, Buttons buttons, DemoPage page, boolean played) {
    boolean isEnded() {
      return page.isEnded() || (played && page.isLeft(LEFT_NANOS));
    }
  }

  private void invite(ConsoleAccess console, DemoPage page) {
    screen.say(
        """

        Break something and repair it, in a browser: %s
        The console alone: %s/console, user %s, password %s
        """
            .formatted(page.address(), console.address(), ConsoleAccess.USER, console.password()));
    if (!options.patience().isZero()) {
      screen.say(
          "If nobody opens the page within %d s, a script breaks things (--wait 0: at once).%n"
              .formatted(options.patience().toSeconds()));
    }
  }

  /** Whether somebody opens the page in time. */
  private boolean awaitVisit(Cast cast, DemoPage page) throws Exception {
    long end = System.nanoTime() + options.patience().toNanos();
    while (System.nanoTime() < end && !page.wasVisited() && !interrupts.await(RELAY_TICK_MILLIS)) {
      cast.requireAlive();
    }
    return page.wasVisited();
  }

  /** Both relays have lanes before the first order: the one that is killed has work to lose. */
  private void awaitRelays(Cast cast, Monitor monitor) throws Exception {
    while (monitor.look().lanes().values().stream().filter(lanes -> lanes > 0).count() < 2) {
      cast.requireAlive();
      if (interrupts.await(RELAY_TICK_MILLIS)) {
        return;
      }
    }
  }

  /** Shows the progress until everything has arrived, or nothing moves any more. */
  private void watch(Cast cast, Process shop, Monitor monitor, Play play) throws Exception {
    Children children = cast.environment().children();
    boolean settled = false;
    Progress progress = monitor.look();
    Stall stall = new Stall(STUCK_NANOS);
    while (!(settled && done(progress, play, shop))
        && !stall.longSince(progress, settled && play.buttons().idle())) {
      screen.show(progress);
      play.page().show(progress);
      pause();
      if (interrupts.asked() || play.isEnded()) {
        wrapUp(shop, play.plan());
      }
      cast.requireAlive();
      children.requireNotFailed("order-service", shop);
      progress = monitor.look();
      play.plan().advance(progress.written());
      // Again and again: an event can be parked after the first time.
      if (!shop.isAlive() && play.plan().over() && (!settled || progress.undecided() > 0)) {
        settled = true;
        boolean left = progress.undecided() > 0;
        play.buttons().settle(left ? () -> LeftOvers.settle(cast.second().config()) : () -> {});
      }
    }
    screen.show(progress);
    play.page().show(progress);
  }

  private static boolean done(Progress progress, Play play, Process shop)
      throws InterruptedException, ExecutionException {
    return !shop.isAlive() && play.buttons().idle() && progress.allArrived();
  }

  private void pause() throws InterruptedException {
    if (interrupts.asked()) {
      Thread.sleep(TICK_MILLIS);
    } else {
      interrupts.await(TICK_MILLIS);
    }
  }

  private void wrapUp(Process shop, FaultPlan plan) throws InterruptedException {
    plan.abandon();
    if (shop.isAlive()) {
      screen.event("asked to stop: no more orders, what is committed is still delivered");
      Children.stop(shop, SHOP_STOP_SECONDS);
    }
  }

  /** Late copies would be ghosts or duplicates: they are waited for. */
  private void awaitCalm(ReceivedTail received) throws IOException, InterruptedException {
    do {
      Thread.sleep(CALM_MILLIS);
    } while (received.advance());
  }

  private DemoResult reconcile(Environment environment, ReceivedTail received, int faults)
      throws SQLException, IOException {
    try (Connection connection = environment.connect()) {
      Repairs repairs = Repairs.read(connection);
      return new DemoResult(
          Reconciliation.of(Shop.ledger(connection), received.copies(), repairs),
          repairs,
          progressOf(environment).rolledBack(),
          faults,
          screen.seconds());
    }
  }

  private static ShopProgress progressOf(Environment environment) throws IOException {
    return ShopProgress.last(environment.children().lastLines("order-service"));
  }

  private void keep(Environment environment, Cast cast) throws InterruptedException {
    screen.say(
        """

        Everything is still running. Look around, and press Ctrl-C to end it:
          psql %s
          %s/console
          ./waybill status --config %s
          ./waybill events list --config %s
        Output of the processes: %s/*.out"""
            .formatted(
                environment.psqlUrl(),
                cast.console().address(),
                cast.second().config(),
                cast.second().config(),
                environment.children().folder()));
    interrupts.await();
  }
}
