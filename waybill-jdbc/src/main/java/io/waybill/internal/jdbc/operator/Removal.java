package io.waybill.internal.jdbc.operator;

import io.waybill.admin.Admin;
import io.waybill.admin.EventFilter;
import io.waybill.admin.EventStatus;
import io.waybill.admin.Instruction;
import io.waybill.store.StoreException;
import java.sql.SQLException;
import java.util.List;

/** Removes dead events for good, and tells which. */
public final class Removal {
  private Removal() {}

  /**
   * Removes events in one transaction. Those stay that are no longer dead, or that somebody asks
   * something about.
   *
   * @param admin operators' view of the outbox
   * @param eventIds the events
   * @param by who removes them, and why
   * @return ids of the removed ones
   * @throws MissingGrantException if the database user may not remove events
   */
  public static List<String> of(Admin admin, List<String> eventIds, Instruction by) {
    JdbcAdmin own = JdbcAdmin.of(admin);
    EventFilter filter = new EventFilter(eventIds, EventStatus.DEAD, null, null, null);
    try {
      return remove(own, filter, eventIds.size(), by);
    } catch (StoreException e) {
      if (e.getCause() instanceof SQLException sql && MissingGrantException.isDenied(sql)) {
        String table = own.parts().layout().table().toString();
        throw new MissingGrantException("DELETE", table, "--purge-grant");
      }
      throw e;
    }
  }

  static List<String> remove(JdbcAdmin admin, EventFilter filter, int limit, Instruction by) {
    AdminFilter.requireCondition(filter);
    if (filter.status() != EventStatus.DEAD) {
      throw new IllegalArgumentException("Only dead events can be removed: the filter must say so");
    }
    return admin
        .parts()
        .queries()
        .database()
        .transaction(
            "remove dead events",
            statements ->
                admin
                    .purge()
                    .remove(
                        statements,
                        JdbcAdmin.rows(admin.candidates(statements, filter, Purge.VERB, limit)),
                        by));
  }
}
