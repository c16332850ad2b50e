package io.waybill.it;

/** What an operator asks for, as the command line writes it. */
final class Operators {
  private Operators() {}

  static void request(World world, String verb, String eventId, String reason) {
    world.execute(
        connection -> {
          try (var statement =
              connection.prepareStatement(
                  """
                  with audit as (
                    insert into waybill_audit (requested_by, verb, row_id, event_id, reason)
                    select 'test', ?, id, event_id, ? from waybill_outbox where event_id = ?
                    returning id, row_id, verb, reason)
                  insert into waybill_request (audit_id, lane, row_id, row_created, verb, reason)
                  select a.id, o.lane, a.row_id,
                    (extract(epoch from o.created_at) * 1000000)::bigint, a.verb, a.reason
                  from audit a join waybill_outbox o on o.id = a.row_id""")) {
            statement.setString(1, verb);
            statement.setString(2, reason);
            statement.setString(3, eventId);
            statement.executeUpdate();
          }
        });
  }
}
