package io.waybill.jdbc;

import io.waybill.jdbc.dialect.SideNames;
import io.waybill.layout.Layout;
import java.time.Duration;
import java.util.Objects;

/**
 * How a relay uses an outbox of some layout. Immutable.
 *
 * @param names names of the tables beside the outbox
 * @param statementLimit time after which a statement is given up, at least one second
 * @param applicationName name of the connections, for people
 */
public record LayoutOptions(SideNames names, Duration statementLimit, String applicationName) {
  /** Checks the values. */
  public LayoutOptions {
    Objects.requireNonNull(names, "names");
    Objects.requireNonNull(applicationName, "applicationName");
    if (statementLimit.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException(
          "The statement limit must be at least 1 second, but is " + statementLimit);
    }
  }

  /**
   * Names after the layout's table, 10 seconds per statement.
   *
   * @param layout the layout
   * @return defaults
   */
  public static LayoutOptions defaults(Layout layout) {
    return new LayoutOptions(SideNames.of(layout), Duration.ofSeconds(10), "waybill");
  }

  /**
   * The same with other names of the tables beside the outbox.
   *
   * @param other names
   * @return changed copy
   */
  public LayoutOptions names(SideNames other) {
    return new LayoutOptions(other, statementLimit, applicationName);
  }

  /**
   * The same with another limit for statements.
   *
   * @param limit at least one second
   * @return changed copy
   */
  public LayoutOptions statementLimit(Duration limit) {
    return new LayoutOptions(names, limit, applicationName);
  }

  /**
   * The same with another application name.
   *
   * @param name name of the connections
   * @return changed copy
   */
  public LayoutOptions applicationName(String name) {
    return new LayoutOptions(names, statementLimit, name);
  }
}
