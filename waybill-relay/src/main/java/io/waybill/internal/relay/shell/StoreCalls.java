package io.waybill.internal.relay.shell;

import io.waybill.internal.relay.Effect;
import io.waybill.internal.relay.Input;
import io.waybill.internal.store.ErrorText;
import io.waybill.internal.work.Ticker;
import io.waybill.observe.RelayEvent;
import io.waybill.store.OutboxRow;
import io.waybill.store.ReadResult;
import io.waybill.store.RefusedChangeException;
import io.waybill.store.RelayProcess;
import io.waybill.store.SessionLostException;
import io.waybill.store.StoreException;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * From an effect on the database to its answer. What a store refuses is answered as failed and
 * repeated. Anything else that is thrown leaves open what the store still knows: it is passed on,
 * and ends the relay.
 */
final class StoreCalls {
  private static final int MAX_REQUESTS = 500;

  private final RelayProcess relay;
  private final Stores stores;
  private final Ticker ticker;
  private final Consumer<RelayEvent> listener;
  private final BacklogAge backlog;
  private final Semaphore woken = new Semaphore(0);
  // Operations that failed last time. Each is carried out by one thread.
  private final Set<String> failing = ConcurrentHashMap.newKeySet();

  StoreCalls(RelayProcess relay, Stores stores, Ticker ticker, Consumer<RelayEvent> listener) {
    this.relay = relay;
    this.stores = stores;
    this.ticker = ticker;
    this.listener = listener;
    this.backlog = new BacklogAge(relay.relay(), ticker, listener);
  }

  /** Age of the oldest event that the database says waits; 0 if none does. */
  long oldestMillis() {
    return backlog.oldestMillis();
  }

  /** Ends the pauses of a watching read; of the next one, if there is none now. */
  void wakeReader() {
    woken.release();
  }

  /** Carries the effect out; a failure is an answer like any other. */
  Input carryOut(Effect effect) throws InterruptedException {
    try {
      Input answer = answer(effect);
      if (!failing.isEmpty() && failing.remove(name(effect))) {
        listener.accept(new RelayEvent.StoreRecovered(name(effect)));
      }
      return answer;
    } catch (SessionLostException e) {
      listener.accept(new RelayEvent.SessionLost(relay.relay(), ErrorText.reason(e)));
      return new Input.SessionLost(effect, e.session());
    } catch (RefusedChangeException e) {
      return new Input.Refused((Effect.Settle) effect, e.isLocked(), e.reason());
    } catch (StoreException e) {
      failing.add(name(effect));
      listener.accept(
          new RelayEvent.StoreFailed(name(effect), ErrorText.reason(e), e.isTransient()));
      return new Input.Failed(effect);
    }
  }

  private Input answer(Effect effect) throws InterruptedException {
    if (effect instanceof Effect.Reading reading) {
      stores.reader().renewed(reading.session());
    }
    return switch (effect.kind()) {
      case JOIN -> join((Effect.Join) effect);
      case RENEW -> renew((Effect.Renew) effect);
      case VIEW -> view((Effect.View) effect);
      case ACQUIRE -> acquire((Effect.Acquire) effect);
      case RELEASE -> release((Effect.Release) effect);
      case LEAVE -> leave((Effect.Leave) effect);
      case ASSIGN -> assign((Effect.Assign) effect);
      case REVOKE -> revoke((Effect.Revoke) effect);
      case READ -> new Input.RowsRead(watch((Effect.Read) effect));
      case READ_HELD -> readHeld((Effect.ReadHeld) effect);
      case LOOK -> look((Effect.Look) effect);
      case READ_CONTROL ->
          new Input.ControlRead(
              stores.reader().requests(MAX_REQUESTS), stores.reader().pausedDestinations());
      case SETTLE -> settle((Effect.Settle) effect);
      case WAKE_READER, SEND, NOTIFY, STOPPED ->
          throw new IllegalArgumentException("no call to the database: " + name(effect));
    };
  }

  private Input join(Effect.Join join) {
    long started = ticker.nanos();
    return new Input.Joined(stores.lanes().join(relay, join.lease()), started);
  }

  private Input renew(Effect.Renew renew) {
    long started = ticker.nanos();
    boolean alive = stores.lanes().renew(renew.session(), renew.lease(), renew.report());
    return new Input.Renewed(renew.session(), alive, started);
  }

  private Input view(Effect.View view) {
    if (!view.lanesMove()) {
      backlog.look(stores.lanes());
    }
    return new Input.Viewed(view.session(), stores.lanes().view(view.session()));
  }

  private Input acquire(Effect.Acquire acquire) {
    return new Input.Acquired(
        acquire.session(), stores.lanes().acquire(acquire.session(), acquire.lanes()));
  }

  private Input release(Effect.Release release) {
    stores.lanes().release(release.session(), release.lanes());
    return new Input.Released(release.session(), release.lanes());
  }

  private Input leave(Effect.Leave leave) {
    stores.lanes().leave(leave.session());
    return new Input.Left(leave.session());
  }

  private Input assign(Effect.Assign assign) {
    return new Input.Assigned(
        assign.lanes(), stores.reader().assign(assign.session(), assign.lanes()));
  }

  private Input revoke(Effect.Revoke revoke) {
    stores.reader().revoke(revoke.lanes());
    return new Input.Revoked(revoke.lanes());
  }

  private Input readHeld(Effect.ReadHeld held) {
    return new Input.HeldRead(
        held, stores.reader().readHeld(held.keys(), held.maxRows(), held.maxBytes()));
  }

  private Input look(Effect.Look look) {
    return new Input.Looked(look, stores.reader().look(look.rows(), look.maxBytes()));
  }

  private Input settle(Effect.Settle settle) {
    return new Input.SettleDone(
        settle, stores.store().settle(settle.session(), settle.settlement()));
  }

  private ReadResult watch(Effect.Read read) throws InterruptedException {
    long end = ticker.nanos() + read.watchNanos();
    ReadResult result = read(read);
    boolean last = read.watchNanos() == 0;
    while (!last && result.rows().isEmpty() && !result.more()) {
      long pause = Math.min(read.pauseNanos(), end - ticker.nanos());
      if (pause <= 0) {
        break;
      }
      last = woken.tryAcquire(pause, TimeUnit.NANOSECONDS);
      result = read(read);
    }
    woken.drainPermits();
    return result;
  }

  private ReadResult read(Effect.Read read) {
    long started = ticker.nanos();
    ReadResult result = stores.reader().read(read.maxRows(), read.maxBytes());
    long bytes = 0;
    for (OutboxRow row : result.rows()) {
      bytes += row.payload() == null ? 0 : row.payload().length;
    }
    long micros = (ticker.nanos() - started) / 1000;
    listener.accept(new RelayEvent.Read(result.rows().size(), bytes, micros));
    if (result.unordered() > 0) {
      listener.accept(new RelayEvent.OrderedByChance(result.unordered()));
    }
    return result;
  }

  private static String name(Effect effect) {
    return effect.getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }
}
