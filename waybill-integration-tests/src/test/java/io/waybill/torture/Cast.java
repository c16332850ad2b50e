package io.waybill.torture;

import io.waybill.proof.oracle.Copy;
import io.waybill.proof.oracle.Ledger;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What one run is made of. */
record Cast(
    Stage stage,
    Fleet fleet,
    Writers writers,
    Injector injector,
    RelayFaults happenings,
    Schedule schedule,
    People people,
    SetBacks setBacks,
    Recovery recovery,
    LogWatch log) {
  /** Whether all relays are there and all lanes have owners. */
  boolean gathered() throws SQLException {
    return stage.sessions() == FaultPlan.PROCESSES && stage.orphans() == 0;
  }

  Leaks.Holdings holdings(long database) {
    return new Leaks.Holdings(Leaks.samples(fleet.pids()), database, stage.broker().connections());
  }

  Evidence evidence(FaultLog faults) throws SQLException {
    OutboxTable table = stage.table();
    List<Copy> ledger;
    try (Connection connection = stage.connect()) {
      ledger = Ledger.committed(connection);
    }
    Map<String, Copy> originals =
        ledger.stream().collect(Collectors.toMap(Copy::eventId, Function.identity()));
    Set<String> committed = originals.keySet();
    List<Copy> delivered =
        stage.spy().copies().stream()
            .filter(copy -> !setBacks.took(copy.eventId(), committed))
            .map(copy -> people.deeds().asWritten(copy, originals))
            .toList();
    Set<String> acknowledged =
        writers.acknowledged().stream()
            .filter(id -> !setBacks.took(id, committed))
            .collect(Collectors.toSet());
    Evidence.Rows rows =
        new Evidence.Rows(
            stage.number(table.unsettled()),
            stage.number(table.dead()),
            stage.number(table.parked()),
            table.keeps(),
            stage.texts(table.published()));
    Evidence.Processes relays =
        new Evidence.Processes(
            fleet.selfEnded(), log.errors(), log.leaks(), List.of(), injector.failures());
    return new Evidence(
        ledger,
        acknowledged,
        delivered,
        faults.causes(),
        rows,
        relays,
        people.deeds().excused(),
        people.deeds().again());
  }
}
