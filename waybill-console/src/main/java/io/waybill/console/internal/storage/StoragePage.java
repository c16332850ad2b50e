package io.waybill.console.internal.storage;

import io.waybill.console.internal.layout.Page;
import io.waybill.console.internal.layout.View;
import io.waybill.console.internal.layout.Visit;
import io.waybill.internal.jdbc.operator.Storage;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/** Sizes of the tables, and the open transactions that keep what was removed from them. */
public final class StoragePage implements Page {
  // Transactions of applications are over sooner.
  private static final Duration LONG = Duration.ofMinutes(1);

  /**
   * The page.
   *
   * @param storage as the API has it
   */
  public record Stored(Storage storage) {
    /** Bytes of all tables, with indexes. */
    public long bytes() {
      return storage.tables().stream()
          .map(Storage.StoredTable::bytes)
          .filter(Objects::nonNull)
          .mapToLong(Long::longValue)
          .sum();
    }

    /** Removed rows of all tables that are still there; 0 where the database does not tell. */
    public long removed() {
      return storage.tables().stream()
          .map(Storage.StoredTable::removed)
          .filter(Objects::nonNull)
          .mapToLong(Long::longValue)
          .sum();
    }

    /** Whether a transaction is open for longer than one of an application should be. */
    public boolean isHeld() {
      return held(storage).isPresent();
    }
  }

  /** The oldest transaction that is open for longer than one of an application should be. */
  public static Optional<Storage.OpenTransaction> held(Storage storage) {
    Instant early = Instant.now().minus(LONG);
    return storage.transactions().stream()
        .filter(each -> each.since() != null && early.isAfter(each.since()))
        .findFirst();
  }

  /** For the console. */
  public StoragePage() {}

  @Override
  public String path() {
    return "storage";
  }

  @Override
  public View show(Visit visit) {
    return new View(
        "storage/storage.jte", "Storage", new Stored(visit.ask("/storage", Storage.class)));
  }
}
