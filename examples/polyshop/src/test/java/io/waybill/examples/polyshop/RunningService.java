package io.waybill.examples.polyshop;

import io.waybill.proof.server.PostgresServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A Java service in this process, without broker; its requests are served at a free port. */
public record RunningService(PostgresServer postgres, ConfigurableApplicationContext context)
    implements AutoCloseable {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  /** Starts it on a PostgreSQL of its own. */
  public static RunningService start(String service) {
    PostgresServer postgres = PostgresServer.launch();
    postgres.createDatabase(service + "_service");
    return new RunningService(postgres, start(service, postgres));
  }

  private static ConfigurableApplicationContext start(String service, PostgresServer postgres) {
    List<String> properties = new ArrayList<>();
    properties.add("--spring.datasource.url=" + postgres.jdbcUrl(service + "_service"));
    properties.add("--server.port=0");
    properties.add("--waybill.relay.enabled=false");
    properties.add("--waybill.inbox.enabled=false");
    properties.add("--management.tracing.export.enabled=false");
    return PolyShopService.start(service, properties.toArray(String[]::new));
  }

  /** Stops it, and starts it again on the same database. */
  public RunningService again() {
    String service = context.getEnvironment().getActiveProfiles()[0];
    context.close();
    return new RunningService(postgres, start(service, postgres));
  }

  /** One of its beans. */
  public <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  /** Its database. */
  public JdbcClient jdbc() {
    return bean(JdbcClient.class);
  }

  /** Posts JSON with further headers: name, value, name, value. */
  public HttpResponse<String> post(String path, String json, String... headers)
      throws IOException, InterruptedException {
    String port = context.getEnvironment().getRequiredProperty("local.server.port");
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(Duration.ofMinutes(1))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(json));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  @Override
  public void close() {
    context.close();
    postgres.close();
  }
}
