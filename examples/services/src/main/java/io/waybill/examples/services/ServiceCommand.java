package io.waybill.examples.services;

import io.waybill.database.DatabaseKind;
import io.waybill.proof.Interrupts;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Starts servers and services, shows a request to try, and what comes of requests. */
abstract class ServiceCommand implements Callable<Integer> {
  private static final int HIGHEST_PORT = 65_535;
  private static final long LOOK_MILLIS = 200;
  private static final int LOOKS = 600;

  private final PrintStream out;
  private final Interrupts interrupts;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "Where requests are served (default: ${DEFAULT-VALUE}; 0 for a free one).")
  private int port = 8080;

  @Option(
      names = "--once",
      description = {
        "Send the request, wait for what it causes, and end. Exit code 0: the event arrived,",
        "and its trace goes from the request to the handler."
      })
  private boolean once;

  ServiceCommand(PrintStream out, Interrupts interrupts) {
    this.out = out;
    this.interrupts = interrupts;
  }

  /** Starts the broker, whose events are shown. */
  abstract Broker launchBroker() throws IOException;

  /** Where the services keep their rows. */
  DatabaseKind database() {
    return DatabaseKind.POSTGRESQL;
  }

  /** What the span of a handler has in its line. */
  String handled() {
    return ": process ";
  }

  /** The request to try. */
  abstract SampleRequest request();

  /** Starts the services, the one that serves requests first. */
  abstract List<ConfigurableApplicationContext> start(ExampleServers servers, int servedAt);

  @Override
  public final Integer call() throws Exception {
    if (port < 0 || port > HIGHEST_PORT) {
      throw new ParameterException(
          spec.commandLine(), "--port must be from 0 to " + HIGHEST_PORT + ", but is " + port);
    }
    String product = database() == DatabaseKind.POSTGRESQL ? "PostgreSQL" : "MariaDB";
    out.println("starting " + product + " and the broker");
    try (ExampleServers servers = ExampleServers.launch(database(), this::launchBroker)) {
      out.println("starting the services");
      List<ConfigurableApplicationContext> services = start(servers, port);
      try {
        return serve(services.get(0), new DedupeKeys(servers, handled(), out));
      } finally {
        services.forEach(ConfigurableApplicationContext::close);
      }
    }
  }

  private int serve(ConfigurableApplicationContext service, DedupeKeys dedupeKeys)
      throws Exception {
    String base =
        "http://127.0.0.1:" + service.getEnvironment().getRequiredProperty("local.server.port");
    if (once) {
      out.println(request().send(base));
      for (int look = 0; look < LOOKS && !interrupts.await(LOOK_MILLIS); look++) {
        dedupeKeys.look();
        if (dedupeKeys.whole() > 0) {
          return 0;
        }
      }
      out.println("no event, or no trace of it that reaches a handler");
      return 1;
    }
    out.println("Serving until Ctrl-C. Try:\n" + request().curl(base));
    while (!interrupts.await(LOOK_MILLIS)) {
      dedupeKeys.look();
    }
    return 0;
  }

  /** Runs an application with the properties file of its name. */
  static ConfigurableApplicationContext run(
      Class<?> application, String name, WebApplicationType web, Map<String, Object> properties) {
    String[] arguments =
        properties.entrySet().stream()
            .map(entry -> "--" + entry.getKey() + "=" + entry.getValue())
            .toArray(String[]::new);
    return new SpringApplicationBuilder(application)
        .properties("spring.config.name=" + name)
        .web(web)
        .bannerMode(Banner.Mode.OFF)
        .registerShutdownHook(false)
        .run(arguments);
  }
}
