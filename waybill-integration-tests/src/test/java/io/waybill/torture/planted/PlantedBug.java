package io.waybill.torture.planted;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Mistakes that can be planted in the relays of a run. */
public enum PlantedBug {
  /** What was sent counts as published; what the broker says about it is not awaited. */
  MARK_BEFORE_CONFIRM,
  /** A confirmation that did not come in time counts as one. */
  TIME_OUT_TAKEN_FOR_SUCCESS,
  /** A confirmation counts for everything that was sent before. */
  CONFIRMS_ALL_BEFORE,
  /** What a destination refuses is the event's fault. */
  PARKS_ON_REFUSAL,
  /** The text of a message is logged. */
  PAYLOAD_LOGGED,
  /** Every relay takes every lane, whoever owns it. */
  NO_CLAIM,
  /** Whether another relay's lease is over is decided by this machine's clock. */
  LEASE_ON_A_LOCAL_CLOCK,
  /** A relay that has lost its session goes on as if it had not. */
  FENCING_IGNORED,
  /** A settlement that failed counts as done. */
  SETTLEMENT_ERROR_SWALLOWED,
  /** After any error of the database the rows at hand count as processed before. */
  DUPLICATE_ON_ANY_SQL_ERROR,
  /** Rows are read in no order. */
  READS_WITHOUT_ORDER,
  /** Only rows above the highest one that was read before are read. */
  POSITION_CURSOR,
  /** The thread that reads ends after a while, and nobody notices. */
  LINE_ENDS_SILENTLY,
  /** Rows are removed by their age, published or not. */
  RETENTION_OF_UNPUBLISHED_ROWS,
  /** What people changed with SQL counts for nothing: a row is what it was when it was read. */
  BELIEVES_ITS_MEMORY,
  /** A row that was given up is not read again, whatever people do. */
  DEAD_STAYS_DEAD,
  /** What was read of one server is not read again of the one that took its place. */
  REMEMBERS_THE_OLD_SERVER,
  /** Records have the time at which their events were created. */
  DATES_BY_CREATION,
  /** Each time that lanes are taken a connection is opened that nobody closes. */
  CONNECTION_LEAKED;

  /**
   * The bug of a name as people write it.
   *
   * @param label lower case, with hyphens
   * @return the bug
   * @throws IllegalArgumentException naming all there are, if there is none of that name
   */
  public static PlantedBug of(String label) {
    List<String> labels = new ArrayList<>();
    for (PlantedBug bug : values()) {
      if (bug.label().equals(label)) {
        return bug;
      }
      labels.add(bug.label());
    }
    throw new IllegalArgumentException(
        "--bug must be one of %s, is '%s'".formatted(String.join(", ", labels), label));
  }

  /**
   * Its name as people write it.
   *
   * @return lower case, with hyphens
   */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  Behaviour behaviour() {
    return switch (this) {
      case MARK_BEFORE_CONFIRM -> new PublisherBugs.MarkBeforeConfirm();
      case TIME_OUT_TAKEN_FOR_SUCCESS -> new PublisherBugs.TimeOutTakenForSuccess();
      case CONFIRMS_ALL_BEFORE -> new PublisherBugs.ConfirmsAllBefore();
      case PARKS_ON_REFUSAL -> new PublisherBugs.ParksOnRefusal();
      case PAYLOAD_LOGGED -> new PublisherBugs.PayloadLogged();
      case NO_CLAIM -> new OwnershipBugs.NoClaim();
      case LEASE_ON_A_LOCAL_CLOCK -> new OwnershipBugs.LeaseOnALocalClock();
      case FENCING_IGNORED -> new OwnershipBugs.FencingIgnored();
      case SETTLEMENT_ERROR_SWALLOWED -> new RowBugs.SettlementErrorSwallowed();
      case DUPLICATE_ON_ANY_SQL_ERROR -> new RowBugs.DuplicateOnAnySqlError();
      case READS_WITHOUT_ORDER -> new RowBugs.ReadsWithoutOrder();
      case POSITION_CURSOR -> new RowBugs.PositionCursor();
      case LINE_ENDS_SILENTLY -> new RowBugs.LineEndsSilently();
      case RETENTION_OF_UNPUBLISHED_ROWS -> new OwnershipBugs.RetentionOfUnpublishedRows();
      case BELIEVES_ITS_MEMORY -> new RowBugs.BelievesItsMemory();
      case DEAD_STAYS_DEAD -> new RowBugs.DeadStaysDead();
      case REMEMBERS_THE_OLD_SERVER -> new RowBugs.RemembersTheOldServer();
      case DATES_BY_CREATION -> new PublisherBugs.DatesByCreation();
      case CONNECTION_LEAKED -> new OwnershipBugs.ConnectionLeaked();
    };
  }
}
