package io.waybill.internal.jdbc.table;

import io.waybill.store.OutboxRow;
import io.waybill.store.Session;
import java.util.List;

/** What happens to rows between the moment they are read and the moment the relay gets them. */
public interface RowClaims {
  /** A row belongs to whoever owns its lane, and nothing says so. */
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
   * Whether claims are commits that wait for the disk.
   *
   * @return true if claimed rows survive a crash of the database
   */
  boolean makesDurable();
}
