package io.waybill.proof.sim.relay;

import io.waybill.store.FailedRow;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a database held at some time, from which it, or another server, goes on later. */
final class Snapshot {
  private static final Content NOTHING = new Content(false, false, null, 0, 0, 0, false);

  private final World world;
  private final Map<SimRow, Content> rows = new HashMap<>();
  private final SimDatabase.Content table;
  private final SimSessions.Content sessions;
  private final SimRequests.Content requests;

  /** What the tables say of a committed row. */
  private record Content(
      boolean published,
      boolean held,
      @Nullable FailedRow failure,
      long retryAt,
      long publishedBy,
      long unknownTo,
      boolean markedByHand) {
    static Content of(SimRow row) {
      return new Content(
          row.published,
          row.held,
          row.failure,
          row.retryAt,
          row.publishedBy,
          row.unknownTo,
          row.markedByHand);
    }

    void put(SimRow row) {
      row.published = published;
      row.held = held;
      row.failure = failure;
      row.retryAt = retryAt;
      row.publishedBy = publishedBy;
      row.unknownTo = unknownTo;
      row.markedByHand = markedByHand;
    }
  }

  private Snapshot(World world) {
    this.world = world;
    this.table = world.database.content();
    this.sessions = world.sessions.content();
    this.requests = world.requests.content();
    for (SimRow row : world.database.rows()) {
      if (row.life == SimRow.Life.COMMITTED) {
        rows.put(row, Content.of(row));
      }
    }
  }

  static Snapshot of(World world) {
    world.database.flush();
    return new Snapshot(world);
  }

  /**
   * Whether every relay has seen a renewal answered since, or joined elsewhere. No relay notices a
   * younger snapshot on a server that does not say which one it is.
   */
  boolean isNoticed() {
    return world.relays().stream()
        .map(relay -> relay.tenure)
        .allMatch(
            tenure ->
                tenure == null
                    || !tenure.session.history().equals(table.history())
                    || sessions.lacks(tenure));
  }

  /**
   * The database goes on from here.
   *
   * @param named whether the server has a name that no other had
   */
  void restore(boolean named) {
    world.database.restore(table, named);
    for (SimRow row : world.database.rows()) {
      Content content = rows.get(row);
      if (content != null) {
        if (row.life != SimRow.Life.COMMITTED || (row.published && !content.published())) {
          // Sessions that read before have other rows of its key in memory, and not this one.
          row.life = SimRow.Life.COMMITTED;
          row.backAt = world.sessions.joined();
        }
        row.durable = true;
        content.put(row);
      } else if (row.wasCommitted() && row.life != SimRow.Life.UNDONE) {
        row.life = SimRow.Life.UNDONE;
        row.undoneAt = world.sessions.joined();
        NOTHING.put(row);
      }
      world.database.changed(row);
    }
    world.sessions.restore(sessions);
    world.requests.restore(requests);
    world.seen.setBack();
  }
}
