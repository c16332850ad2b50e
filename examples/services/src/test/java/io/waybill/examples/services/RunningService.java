package io.waybill.examples.services;

import io.waybill.proof.server.PostgresServer;
import java.util.HashMap;
import java.util.Map;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A service on a PostgreSQL of its own; its requests are served at a free port. */
public record RunningService(PostgresServer postgres, ConfigurableApplicationContext context)
    implements AutoCloseable {

  /**
   * Starts both.
   *
   * @param application the service
   * @param name of its properties file
   * @param web whether it takes requests
   * @param properties over those of the file
   */
  public static RunningService start(
      Class<?> application, String name, WebApplicationType web, Map<String, Object> properties) {
    PostgresServer postgres = PostgresServer.launch();
    // A name that is no word of SQL.
    String database = name + "_service";
    postgres.createDatabase(database);
    Map<String, Object> all = new HashMap<>(properties);
    all.put("spring.datasource.url", postgres.jdbcUrl(database));
    all.put("server.port", 0);
    all.put("management.tracing.export.enabled", false);
    return new RunningService(postgres, ServiceCommand.run(application, name, web, all));
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
    postgres.close();
  }
}
