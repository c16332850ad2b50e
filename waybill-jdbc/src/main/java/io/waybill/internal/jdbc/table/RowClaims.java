package io.waybill.internal.jdbc.table;

import io.waybill.store.Backlog;
import io.waybill.store.FailedRow;
import io.waybill.store.OperatorRequest;
import io.waybill.store.OperatorRequest.EventState;
import io.waybill.store.OperatorRequest.Verb;
import io.waybill.store.OutboxRow;
import io.waybill.store.RowState;
import io.waybill.store.Session;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What happens to rows between the moment they are read and the moment the relay gets them. */
public interface RowClaims {
  /** The owner of a lane owns its rows, and no column records it. */
  RowClaims NONE =
      new RowClaims() {
        @Override
        public List<OutboxRow> claim(Session session, List<OutboxRow> rows) {
          return rows;
        }

        @Override
        public boolean makesDurable() {
          return false;
        }
      };

  /**
   * Claims rows for their owner.
   *
   * @param session the reading session
   * @param rows rows that were read
   * @return those of them that are to be sent, in their order
   */
  List<OutboxRow> claim(Session session, List<OutboxRow> rows);

  /**
   * Claims what is blocked and will be tried again; parked rows wait for an operator.
   *
   * @param session the reading session
   * @param backlog what is blocked
   * @return the backlog without rows that are tried again, and not by this owner
   */
  default Backlog claim(Session session, Backlog backlog) {
    List<OutboxRow> retried =
        backlog.failed().stream()
            .filter(failed -> failed.state() == RowState.RETRY)
            .map(FailedRow::row)
            .toList();
    Set<Object> kept = new HashSet<>();
    claim(session, retried).forEach(row -> kept.add(row.rowId()));
    List<FailedRow> failed =
        backlog.failed().stream()
            .filter(row -> row.state() != RowState.RETRY || kept.contains(row.row().rowId()))
            .toList();
    return new Backlog(failed, backlog.held(), backlog.orphaned());
  }

  /**
   * Claims the rows that operators want tried again.
   *
   * @param session the reading session
   * @param requests requests of operators
   */
  default void claimRetried(Session session, List<OperatorRequest> requests) {
    List<OutboxRow> rows = new ArrayList<>();
    for (OperatorRequest request : requests) {
      OutboxRow row = request.row();
      if (request.verb() == Verb.RETRY && request.state() != EventState.PUBLISHED && row != null) {
        rows.add(row);
      }
    }
    claim(session, rows);
  }

  /**
   * Whether claims are commits that wait for the disk.
   *
   * @return true if claimed rows survive a crash of the database
   */
  boolean makesDurable();
}
