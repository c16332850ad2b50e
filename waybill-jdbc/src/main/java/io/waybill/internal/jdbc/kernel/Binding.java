package io.waybill.internal.jdbc.kernel;

import io.waybill.layout.RowIdKind;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Binds the parameters of a statement on any database in order. */
public final class Binding {
  private final PreparedStatement statement;
  private final SqlDialect dialect;
  private int index;

  public Binding(PreparedStatement statement, SqlDialect dialect) {
    this.statement = statement;
    this.dialect = dialect;
  }

  /** Runs a statement that returns one text. */
  public static String text(PreparedStatement statement) throws SQLException {
    try (ResultSet result = statement.executeQuery()) {
      result.next();
      return String.valueOf(result.getString(1));
    }
  }

  public void number(long value) throws SQLException {
    statement.setLong(++index, value);
  }

  public void optional(@Nullable Long value) throws SQLException {
    if (value == null) {
      statement.setNull(++index, Types.BIGINT);
    } else {
      statement.setLong(++index, value);
    }
  }

  public void flag(boolean value) throws SQLException {
    statement.setBoolean(++index, value);
  }

  public void bytes(byte @Nullable [] value) throws SQLException {
    statement.setBytes(++index, value);
  }

  /** PostgreSQL's text cannot hold the character NUL, which a broker's message may contain. */
  public void text(@Nullable String value) throws SQLException {
    statement.setString(++index, value == null ? null : value.replace('\0', ' '));
  }

  /** Binds a place as positions are bound: the row id alone where no column orders the rows. */
  public void place(Place place, boolean ordered) throws SQLException {
    if (ordered) {
      number(place.value());
      number(place.value());
    }
    id(place.rowId());
  }

  public void id(Object rowId) throws SQLException {
    if (rowId instanceof Long number) {
      statement.setLong(++index, number);
    } else if (rowId instanceof String text) {
      statement.setString(++index, text);
    } else {
      statement.setObject(++index, rowId);
    }
  }

  /** Binds one of several; nothing if there are none. */
  public void oneOf(RowIdKind kind, List<?> ids) throws SQLException {
    if (!ids.isEmpty()) {
      index = dialect.bindOneOf(statement, index + 1, kind, ids) - 1;
    }
  }

  /** Binds lanes as one of several numbers; nothing if there are none. */
  public void lanes(Collection<Integer> lanes) throws SQLException {
    oneOf(RowIdKind.LONG, lanes.stream().map(Integer::longValue).toList());
  }

  /** Binds most rows and, where the database can stop by bytes, most bytes. */
  public void limits(Limits limits) throws SQLException {
    number(limits.rows());
    if (dialect.boundsBytes()) {
      number(limits.bytes());
    }
    statement.setFetchSize(dialect.fetchSize());
  }
}
