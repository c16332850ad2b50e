package io.waybill.torture.planted;

import io.waybill.store.DedupeKey;
import io.waybill.store.DedupeResult;
import io.waybill.store.DeferredEvent;
import io.waybill.store.InboxStore;
import io.waybill.store.InboxTransaction;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A store with a bug. */
final class PlantedInboxStore implements InboxStore {
  private final InboxStore store;
  private final ConsumerBug bug;

  PlantedInboxStore(InboxStore store, ConsumerBug bug) {
    this.store = store;
    this.bug = bug;
  }

  @Override
  public String consumer() {
    return store.consumer();
  }

  @Override
  public void open() {
    store.open();
  }

  @Override
  public Optional<Duration> statementLimit() {
    return store.statementLimit();
  }

  /** The transaction has many methods, and a bug is in one of them. */
  @Override
  public InboxTransaction begin() {
    InboxTransaction transaction = store.begin();
    return (InboxTransaction)
        Proxy.newProxyInstance(
            InboxTransaction.class.getClassLoader(),
            new Class<?>[] {InboxTransaction.class},
            (proxy, method, arguments) -> {
              try {
                return switch (method.getName()) {
                  case "defer" -> defer(transaction, (DeferredEvent) arguments[0]);
                  default -> {
                    Object answer = method.invoke(transaction, arguments);
                    if (bug == ConsumerBug.NOTES_NOTHING
                        && answer instanceof List<?> dedupeResults) {
                      unnote(transaction, (List<?>) arguments[0], dedupeResults);
                    }
                    yield answer;
                  }
                };
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private boolean defer(InboxTransaction transaction, DeferredEvent event) {
    return (bug == ConsumerBug.FORGETS_DEFERRED && event.deadReason() == null)
        || transaction.defer(event);
  }

  private static void unnote(
      InboxTransaction transaction, List<?> dedupeKeys, List<?> dedupeResults) {
    List<DedupeKey> fresh = new ArrayList<>();
    for (int i = 0; i < dedupeResults.size(); i++) {
      if (dedupeResults.get(i) instanceof DedupeResult.Fresh) {
        fresh.add((DedupeKey) dedupeKeys.get(i));
      }
    }
    if (!fresh.isEmpty()) {
      transaction.takeBack(fresh);
    }
  }

  @Override
  public List<DeferredEvent> due(String owner, Duration claim, int limit) {
    return store.due(owner, claim, limit);
  }

  @Override
  public void release(String owner) {
    store.release(owner);
  }

  @Override
  public long deferred() {
    return store.deferred();
  }

  @Override
  public int purge(Duration age, int limit) {
    return store.purge(age, limit);
  }

  @Override
  public void close() {
    store.close();
  }
}
