package io.waybill;

import io.waybill.database.AppendDialect;
import io.waybill.message.Event;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes into tables of a database whose product is known with the first event's connection. */
final class LateAppend implements AppendDialect {
  private final Source source;
  private volatile @Nullable AppendDialect found;

  /** Finds out how a database is written to. */
  interface Source {
    AppendDialect of(Connection connection) throws SQLException;
  }

  LateAppend(Source source) {
    this.source = source;
  }

  private AppendDialect dialect(Connection connection) throws SQLException {
    AppendDialect dialect = found;
    if (dialect == null) {
      dialect = source.of(connection);
      found = dialect;
    }
    return dialect;
  }

  @Override
  public void check(Connection connection, Event event) throws SQLException {
    dialect(connection).check(connection, event);
  }

  @Override
  public void insert(Connection connection, List<Event> events) throws SQLException {
    dialect(connection).insert(connection, events);
  }

  @Override
  public long maxStatementBytes() {
    AppendDialect dialect = found;
    return dialect == null ? AppendDialect.super.maxStatementBytes() : dialect.maxStatementBytes();
  }

  @Override
  public @Nullable Duplicate duplicate(SQLException failure, List<Event> events) {
    AppendDialect dialect = found;
    return dialect == null ? null : dialect.duplicate(failure, events);
  }
}
