package io.waybill.internal.jdbc.outbox;

import io.waybill.database.SideNames;
import io.waybill.database.TimeRange;
import io.waybill.internal.jdbc.kernel.RowBound;
import io.waybill.layout.Layout;
import java.time.Duration;
import java.util.Objects;

/**
 * How a relay uses an outbox of some layout. Immutable.
 *
 * @param names names of the outbox's side tables
 * @param statementLimit time after which a statement is cancelled, at least one second
 * @param applicationName name of the connections, for people
 * @param timeRange which rows are read, by their creation time
 * @param maxEventBytes most bytes of an event, payload, headers and texts together: a larger one is
 *     not read but parked as {@code too-large}
 */
public record TableOptions(
    SideNames names,
    Duration statementLimit,
    String applicationName,
    TimeRange timeRange,
    int maxEventBytes) {
  /** Checks the values. */
  public TableOptions {
    Objects.requireNonNull(names, "names");
    Objects.requireNonNull(applicationName, "applicationName");
    Objects.requireNonNull(timeRange, "timeRange");
    if (statementLimit.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException(
          "The statement limit must be at least 1 second, but is " + statementLimit);
    }
    EventBytes.check(maxEventBytes);
  }

  /**
   * The defaults: names derived from the layout's table, 10 seconds per statement, all rows, 16 MiB
   * per event.
   *
   * @param layout the layout
   * @return defaults
   */
  public static TableOptions defaults(Layout layout) {
    return new TableOptions(
        SideNames.of(layout),
        Duration.ofSeconds(10),
        "waybill",
        TimeRange.ALL,
        RowBound.USUAL.maxBytes());
  }

  /**
   * The same with other names of the side tables.
   *
   * @param other names
   * @return changed copy
   */
  public TableOptions names(SideNames other) {
    return new TableOptions(other, statementLimit, applicationName, timeRange, maxEventBytes);
  }

  /**
   * The same with another limit for statements.
   *
   * @param limit at least one second
   * @return changed copy
   */
  public TableOptions statementLimit(Duration limit) {
    return new TableOptions(names, limit, applicationName, timeRange, maxEventBytes);
  }

  /**
   * The same with another application name.
   *
   * @param name name of the connections
   * @return changed copy
   */
  public TableOptions applicationName(String name) {
    return new TableOptions(names, statementLimit, name, timeRange, maxEventBytes);
  }

  /**
   * The same for rows created in a time range; other rows stay unchanged. A row that failed or was
   * held before is processed whenever it was created.
   *
   * @param range which rows are read
   * @return changed copy
   */
  public TableOptions timeRange(TimeRange range) {
    return new TableOptions(names, statementLimit, applicationName, range, maxEventBytes);
  }

  /**
   * The same with another bound on events.
   *
   * @param bytes from 64 KiB to 256 MiB, 16 MiB by default; a relay's heap has to hold several
   * @return changed copy
   */
  public TableOptions maxEventBytes(int bytes) {
    return new TableOptions(names, statementLimit, applicationName, timeRange, bytes);
  }
}
