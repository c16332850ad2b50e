package io.waybill;

import io.waybill.broker.Publisher;
import io.waybill.jdbc.OutboxTables;
import io.waybill.jdbc.PostgresOutbox;
import io.waybill.observe.RelayListener;
import io.waybill.outbox.CommitNudge;
import io.waybill.relay.EngineSettings;
import io.waybill.relay.Relay;
import io.waybill.relay.RelayRules;
import io.waybill.relay.Stores;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The relay of a {@link Waybill}, as often as it is begun, and what hears and tells of commits. */
final class EmbeddedRelay implements Supervisor.Job, CommitNudge {
  private final Parts parts;
  // Made to ask it for its bounds.
  private @Nullable Publisher first;
  private volatile @Nullable Relay relay;
  private volatile @Nullable CommitNotifier notifier;
  private @Nullable CommitListener commits;

  /** What it is made of; notificationPause is null where other processes are not told. */
  record Parts(
      String name,
      OutboxTables tables,
      Supplier<? extends Publisher> publishers,
      EngineSettings settings,
      RelayRules rules,
      RelayListener listener,
      @Nullable Duration notificationPause) {}

  EmbeddedRelay(Parts parts, Publisher first) {
    this.parts = parts;
    this.first = first;
  }

  @Override
  public @Nullable String check() {
    return null;
  }

  @Override
  public void begin(Consumer<Throwable> failed) {
    OutboxTables tables = parts.tables();
    Publisher publisher = first == null ? parts.publishers().get() : first;
    first = null;
    relay =
        new Relay(
            parts.name(),
            parts.settings(),
            new Stores(tables.lanes(), tables.reader(), tables.store(), tables.toString()),
            publisher,
            parts.rules(),
            parts.listener(),
            failed);
    if (parts.notificationPause() != null && tables instanceof PostgresOutbox postgres) {
      notifier = CommitNotifier.start(postgres, parts.notificationPause());
      commits = CommitListener.start(parts.name(), postgres, this::wake);
    }
  }

  @Override
  public void nudge() {
    wake();
    CommitNotifier others = notifier;
    if (others != null) {
      others.nudge();
    }
  }

  private void wake() {
    Relay running = relay;
    if (running != null) {
      running.nudge();
    }
  }

  @Override
  public boolean end(Duration grace) {
    if (commits != null) {
      commits.close();
      commits = null;
    }
    CommitNotifier telling = notifier;
    if (telling != null) {
      notifier = null;
      telling.close();
    }
    Relay running = relay;
    relay = null;
    return running == null || running.stop(grace);
  }
}
