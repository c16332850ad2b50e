package io.waybill.it;

import io.waybill.jdbc.dialect.SqlDialect;
import javax.sql.DataSource;

/** A database server that services write to. */
interface EngineUnderTest extends AutoCloseable {
  void createDatabase(String name);

  DataSource dataSource(String database);

  /** Lines of the outbox's configuration. */
  String configuration(String database);

  SqlDialect dialect();

  boolean postgres();

  @Override
  void close();
}
