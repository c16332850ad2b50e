package io.waybill.examples.services;

import io.waybill.database.DatabaseKind;
import io.waybill.proof.server.DatabaseServer;
import java.util.HashMap;
import java.util.Map;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A service on a database server of its own; its requests are served at a free port. */
public record RunningService(DatabaseServer database, ConfigurableApplicationContext context)
    implements AutoCloseable {

  /**
   * Starts both, on PostgreSQL.
   *
   * @param application the service
   * @param name of its properties file
   * @param web whether it takes requests
   * @param properties over those of the file
   */
  public static RunningService start(
      Class<?> application, String name, WebApplicationType web, Map<String, Object> properties) {
    return start(DatabaseKind.POSTGRESQL, application, name, web, properties);
  }

  /** The same on another kind of database. */
  public static RunningService start(
      DatabaseKind kind,
      Class<?> application,
      String name,
      WebApplicationType web,
      Map<String, Object> properties) {
    DatabaseServer database = DatabaseServer.launch(kind);
    Map<String, Object> all = new HashMap<>(properties);
    // A name that is no word of SQL.
    all.put("spring.datasource.url", database.createDatabase(name + "_service"));
    all.put("server.port", 0);
    all.put("management.tracing.export.enabled", false);
    return new RunningService(database, ServiceCommand.run(application, name, web, all));
  }

  /** One of its beans. */
  public <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  /** Its database. */
  public JdbcClient jdbc() {
    return bean(JdbcClient.class);
  }

  /** Posts requests to it. */
  public ServiceClient client() {
    return ServiceClient.of(context);
  }

  @Override
  public void close() {
    context.close();
    database.close();
  }
}
