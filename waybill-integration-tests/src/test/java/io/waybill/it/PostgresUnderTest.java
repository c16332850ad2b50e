package io.waybill.it;

import io.waybill.jdbc.dialect.PostgresSql;
import io.waybill.jdbc.dialect.SqlDialect;
import io.waybill.testkit.PostgresServer;
import javax.sql.DataSource;

final class PostgresUnderTest implements EngineUnderTest {
  private final PostgresServer server = PostgresServer.launch();

  @Override
  public void createDatabase(String name) {
    server.createDatabase(name);
  }

  @Override
  public DataSource dataSource(String database) {
    return server.dataSource(database);
  }

  @Override
  public String configuration(String database) {
    return "database: {url: \"jdbc:postgresql://127.0.0.1:%d/%s\", user: postgres}"
        .formatted(server.port(), database);
  }

  @Override
  public SqlDialect dialect() {
    return new PostgresSql();
  }

  @Override
  public boolean postgres() {
    return true;
  }

  @Override
  public void close() {
    server.close();
  }
}
