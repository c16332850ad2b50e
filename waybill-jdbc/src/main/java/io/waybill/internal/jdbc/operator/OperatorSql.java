package io.waybill.internal.jdbc.operator;

import io.waybill.internal.jdbc.kernel.SqlDialect;
import io.waybill.internal.jdbc.table.LayoutReads;
import io.waybill.internal.jdbc.table.LayoutTerms;
import java.util.Collections;
import java.util.List;

/**
 * Statements on operators' requests and the relays that carry them out: requests, their audit,
 * destinations, sessions and lanes of any outbox. Immutable.
 */
final class OperatorSql {
  private final LayoutTerms terms;
  private final SqlDialect dialect;

  OperatorSql(LayoutTerms terms, SqlDialect dialect) {
    this.terms = terms;
    this.dialect = dialect;
  }

  /**
   * Records a request, and the earlier reason for the event's state. Parameters: who, verb, row id,
   * event id, reason, row id, its time of creation.
   *
   * @return insert statement; the database generates the id
   */
  public String audit() {
    return sql(
        """
        insert into ${audit} (requested_by, verb, row_id, event_id, reason, earlier_reason)
        values (?, ?, ?, ?, ?,
          (select concat(s.last_reason, ': ', s.last_detail) from ${row_state} s
            where s.row_id = ? and s.row_created = ?))""");
  }

  /**
   * Adds a request to the owner of a lane. Parameters: id of the audit's entry, lane, row id, its
   * time of creation in microseconds as in {@link LayoutReads}, verb, reason.
   *
   * @return insert statement
   */
  public String ask() {
    return sql(
        """
        insert into ${request} (audit_id, lane, row_id, row_created, verb, reason)
        values (?, ?, ?, ?, ?, ?)""");
  }

  /**
   * The requests of operators. Parameters: id before which to begin, event id if it is given, most
   * rows.
   *
   * @param oneEvent whether an event id is given
   * @return statement returning entries, latest first
   */
  public String entries(boolean oneEvent) {
    return entriesWhere(
        "a.id < ? ${event} order by a.id desc limit ?"
            .replace("${event}", oneEvent ? "and a.event_id = ?" : ""));
  }

  /**
   * The requests that were carried out. Parameters: verb, destination, notes.
   *
   * @param notes number of notes
   * @return statement returning entries
   */
  public String carriedOut(int notes) {
    return entriesWhere(
        "a.verb = ? and a.destination = ? and a.done and a.note in (${notes})"
            .replace("${notes}", String.join(", ", Collections.nCopies(notes, "?"))));
  }

  private String entriesWhere(String condition) {
    return sql(
        """
        select a.id, ${requested}, a.requested_by, a.verb, a.event_id, a.destination, a.reason,
          ${completed}, a.done, a.note, a.database_user, a.client_address, a.earlier_reason
        from ${audit} a where ${condition}"""
            .replace("${requested}", dialect.micros("a.requested_at"))
            .replace("${completed}", dialect.micros("a.completed_at"))
            .replace("${condition}", condition));
  }

  /**
   * Destinations.
   *
   * @return statement returning destinations by name
   */
  public String destinations() {
    return sql(
        """
        select d.name, d.paused, d.reason, d.changed_by, ${changed}
        from ${destination} d order by d.name"""
            .replace("${changed}", dialect.micros("d.changed_at")));
  }

  /**
   * Pauses or resumes a destination that is not known yet. Parameters: name, whether paused,
   * reason, who.
   *
   * @return statement that does not change a known destination
   */
  public String know() {
    return sql(
        """
        insert into ${destination} (name, paused, reason, changed_by, changed_at)
        values (?, ?, ?, ?, ${clock})
        """
            + dialect.orUpdate("name", List.of("name")));
  }

  /**
   * Pauses or resumes a destination. Parameters: whether paused, reason, who, name, whether paused.
   *
   * @return update statement; reason and time stay if the state does not change
   */
  public String pause() {
    return sql(
        """
        update ${destination} set paused = ?, reason = ?, changed_by = ?, changed_at = ${clock}
        where name = ? and paused <> ?""");
  }

  /**
   * Records, before the change, that a destination is paused or resumed, and the reason for its
   * earlier state. Parameters: who, verb, name, reason, name.
   *
   * @return insert statement
   */
  public String auditPause() {
    return sql(
        """
        insert into ${audit}
          (requested_by, verb, destination, reason, earlier_reason, completed_at, done, note)
        values (?, ?, ?, ?, (select d.reason from ${destination} d where d.name = ?), ${clock}, true,
          'taken up by the relays at their next look')""");
  }

  /**
   * Records an action that an operator carried out without a relay. Parameters: who, verb, event
   * id, destination, reason, whether it was carried out, note.
   *
   * @return insert statement
   */
  public String auditNote() {
    return sql(
        """
        insert into ${audit}
          (requested_by, verb, event_id, destination, reason, completed_at, done, note)
        values (?, ?, ?, ?, ?, ${clock}, ?, ?)""");
  }

  /**
   * The running relays.
   *
   * @return statement returning sessions by fence: fence, relay, lanes, time of joining, rest of
   *     the lease; times in microseconds
   */
  public String sessions() {
    return sql(
        """
        select s.fence, s.relay, (select count(*) from ${lane} l where l.fence = s.fence),
          ${joined}, ${until} - ${now_micros}
        from ${session} s order by s.fence"""
            .replace("${joined}", dialect.micros("s.joined_at"))
            .replace("${until}", dialect.micros("s.lease_until")));
  }

  /**
   * The lanes and their owners.
   *
   * @return statement returning lanes by number
   */
  public String lanes() {
    return sql(
        """
        select l.lane, l.fence, s.relay, ${changed}
        from ${lane} l left join ${session} s on s.fence = l.fence
        order by l.lane"""
            .replace("${changed}", dialect.micros("l.changed_at")));
  }

  private String sql(String template) {
    return terms.sql(
        template
            .replace("${now_micros}", dialect.micros(dialect.now()))
            .replace("${clock}", dialect.clock()));
  }
}
