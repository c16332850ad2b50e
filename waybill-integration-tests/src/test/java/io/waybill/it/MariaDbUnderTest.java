package io.waybill.it;

import io.waybill.jdbc.dialect.MySqlSql;
import io.waybill.jdbc.dialect.SqlDialect;
import io.waybill.testkit.MariaDbServer;
import javax.sql.DataSource;

final class MariaDbUnderTest implements EngineUnderTest {
  private final MariaDbServer server = MariaDbServer.launch();

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
    return "database: {url: \"jdbc:mariadb://127.0.0.1:%d/%s\", user: root, properties: {sslMode: disable}}"
        .formatted(server.port(), database);
  }

  @Override
  public SqlDialect dialect() {
    return MySqlSql.mariaDb();
  }

  @Override
  public boolean postgres() {
    return false;
  }

  @Override
  public void close() {
    server.close();
  }
}
