package io.waybill.demo;

import io.waybill.proof.Interrupts;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;

/** One run: start, watch, break things, drain, reconcile. */
final class Demo {
  private static final long TICK_MILLIS = 500;
  private static final long RELAY_TICK_MILLIS = 100;
  private static final long CALM_MILLIS = 700;
  private static final long STUCK_NANOS = Duration.ofMinutes(1).toNanos();
  private static final int SHOP_STOP_SECONDS = 25;

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
    screen.say(
        "Waybill demo: %,d events at %,d per second, PostgreSQL to %s"
            .formatted(options.events(), options.rate(), options.broker().text()));
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
    int faults;
    try (Monitor monitor = new Monitor(environment.clientUrl(), received)) {
      awaitRelays(cast, monitor);
      screen.event("starting the order service");
      Process shop = Cast.startShop(environment, options);
      faults = watch(environment, cast, shop, monitor);
    }
    if (!options.keep()) {
      cast.stopRelays();
    }
    awaitCalm(received);
    DemoResult result =
        new DemoResult(
            Reconciliation.of(ledger(environment), received.copies()),
            progressOf(environment).rolledBack(),
            faults,
            screen.seconds());
    screen.say(result.text());
    if (options.keep() && !interrupts.asked()) {
      keep(environment, cast);
    }
    return result;
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

  /** Shows the progress until everything has arrived; returns the number of faults made. */
  private int watch(Environment environment, Cast cast, Process shop, Monitor monitor)
      throws Exception {
    List<Fault> faults = Fault.all(environment, cast.first(), screen);
    try (FaultPlan plan = new FaultPlan(faults, options.events())) {
      Progress progress = monitor.look();
      Stall stall = new Stall(STUCK_NANOS);
      while (!done(progress, plan, shop)
          && !stall.longSince(progress, plan.over() && !shop.isAlive())) {
        screen.show(progress);
        pause();
        if (interrupts.asked()) {
          wrapUp(shop, plan);
        }
        cast.requireAlive();
        environment.children().requireNotFailed("order-service", shop);
        progress = monitor.look();
        plan.advance(progress.written());
      }
      screen.show(progress);
      return plan.made();
    }
  }

  private boolean done(Progress progress, FaultPlan plan, Process shop)
      throws InterruptedException, ExecutionException {
    boolean allArrived =
        progress.published() == progress.written() && progress.consumed() >= progress.written();
    return !shop.isAlive() && plan.over() && allArrived;
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

  private List<Change> ledger(Environment environment) throws SQLException {
    try (Connection connection = environment.connect()) {
      return Shop.ledger(connection);
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
          ./waybill status --config %s
          ./waybill events list --config %s
        Output of the processes: %s/*.out"""
            .formatted(
                environment.psqlUrl(),
                cast.second().config(),
                cast.second().config(),
                environment.children().folder()));
    interrupts.await();
  }
}
