package io.waybill.internal.jdbc.kernel;

import io.waybill.store.Backlog;
import io.waybill.store.FailedRow;
import io.waybill.store.HeldKey;
import io.waybill.store.RowRef;
import io.waybill.store.RowState;
import io.waybill.store.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What is blocked in lanes that were assigned, page by page: first failed rows, then held ones. No
 * statement grows with the number of either, and payloads are bound as those of a read are.
 */
public final class BacklogScan {
  /** Entries that one statement looks at. */
  public static final int STRETCH = 10_000;

  /** Payloads of the first page, in bytes. */
  static final long FIRST_BYTES = 16L << 20;

  private final Source source;
  private final Session session;
  private final Set<Integer> lanes;
  private @Nullable Object after;
  private boolean heldNext;
  private boolean finished;

  /** A stretch of a table, by row id: behind one, from the start without; up to one, or the end. */
  public record Stretch(@Nullable Object after, @Nullable Object until) {}

  /** The tables beside an outbox. */
  public interface Source {
    /** The last of {@link #STRETCH} failed rows behind an id, null if there are fewer. */
    @Nullable Object failedUntil(@Nullable Object after);

    /** Failed rows of lanes in a stretch, by id. */
    List<FailedRow> failed(Set<Integer> lanes, Stretch stretch, Limits limits);

    /** Rows of lanes in a stretch that have failed, and that somebody removed or marked. */
    List<RowRef> orphanedFailures(Set<Integer> lanes, Stretch stretch);

    /** The last of {@link #STRETCH} held rows behind an id, null if there are fewer. */
    @Nullable Object heldUntil(@Nullable Object after);

    /** Keys of held rows of lanes in a stretch. */
    List<HeldKey> held(Set<Integer> lanes, Stretch stretch);

    /** Rows of lanes in a stretch that are held, and that somebody removed or marked. */
    List<RowRef> orphanedHeld(Set<Integer> lanes, Stretch stretch);
  }

  /** A page, and where the next one begins. */
  public record Page(Backlog backlog, @Nullable Object next, boolean last) {}

  public BacklogScan(Source source, Session session, Set<Integer> lanes) {
    this.source = source;
    this.session = session;
    this.lanes = new TreeSet<>(lanes);
  }

  public Set<Integer> lanes() {
    return lanes;
  }

  public boolean finished() {
    return finished || lanes.isEmpty();
  }

  /** The next page; the scan stays where it is. */
  public Page look(long bytes) {
    return heldNext ? held() : failed(bytes);
  }

  private Page failed(long bytes) {
    Object until = source.failedUntil(after);
    Limits limits = new Limits(STRETCH, bytes, session);
    List<FailedRow> rows = source.failed(lanes, new Stretch(after, until), limits);
    long read =
        rows.stream()
            .filter(row -> row.state() == RowState.RETRY)
            .mapToLong(row -> row.row().readBytes())
            .sum();
    boolean cut = read >= bytes && !rows.isEmpty();
    Object next = cut ? rows.get(rows.size() - 1).row().rowId() : until;
    List<RowRef> orphaned = source.orphanedFailures(lanes, new Stretch(after, next));
    return new Page(new Backlog(rows, List.of(), orphaned), next, next == null);
  }

  private Page held() {
    Object until = source.heldUntil(after);
    Stretch stretch = new Stretch(after, until);
    List<HeldKey> keys = source.held(lanes, stretch);
    List<RowRef> orphaned = source.orphanedHeld(lanes, stretch);
    return new Page(new Backlog(List.of(), keys, orphaned), until, until == null);
  }

  /** The page has been taken in. */
  public void accept(Page page) {
    after = page.next();
    if (page.last()) {
      finished = heldNext;
      heldNext = true;
    }
  }

  /** The first pages, as one; nothing has been taken in before. */
  public Backlog first() {
    Page failed = look(FIRST_BYTES);
    accept(failed);
    if (!heldNext) {
      return failed.backlog();
    }
    Page held = look(FIRST_BYTES);
    accept(held);
    List<RowRef> orphaned = new ArrayList<>(failed.backlog().orphaned());
    orphaned.addAll(held.backlog().orphaned());
    return new Backlog(failed.backlog().failed(), held.backlog().held(), orphaned);
  }
}
