package io.waybill.torture;

import io.waybill.proof.oracle.Copy;
import io.waybill.proof.oracle.FaultWindow;
import java.util.List;
import java.util.Set;

/**
 * Everything that a run is judged by.
 *
 * @param ledger what was committed, as the final database says
 * @param acknowledged ids whose commit was acknowledged to the writer
 * @param delivered every copy in the order of arrival
 * @param causes faults that can be the cause of something
 * @param rows what the outbox table says in the end
 * @param relays what is known of the relays
 * @param excused events that people took away: they need not arrive, and may be called published
 * @param again events that people made to be published again
 */
record Evidence(
    List<Copy> ledger,
    Set<String> acknowledged,
    List<Copy> delivered,
    List<FaultWindow> causes,
    Rows rows,
    Processes relays,
    Set<String> excused,
    Set<String> again) {
  /**
   * The outbox table.
   *
   * @param unsettled rows that are neither published nor given up
   * @param dead rows that were given up
   * @param parked rows whose keys wait
   * @param kept whether published rows stay
   * @param published ids that the table calls published
   */
  record Rows(long unsettled, long dead, long parked, boolean kept, Set<String> published) {}

  /**
   * The processes of a run.
   *
   * @param selfEnded those that ended although nobody ended them
   * @param errors ERROR lines of their logs
   * @param leakedTexts payloads and secrets in their logs
   * @param held what they hold in the end beyond what they held in the beginning
   * @param misbehaved faults that could not be injected or healed, stops that were not graceful
   */
  record Processes(
      List<Fleet.SelfEnded> selfEnded,
      List<LogWatch.ErrorLine> errors,
      Set<String> leakedTexts,
      List<String> held,
      List<String> misbehaved) {}
}
