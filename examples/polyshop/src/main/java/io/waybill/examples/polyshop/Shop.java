package io.waybill.examples.polyshop;

import io.waybill.proof.server.FreePort;
import io.waybill.proof.server.KafkaServer;
import io.waybill.proof.server.PostgresServer;
import io.waybill.proof.server.ProcessGuard;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/**
 * The processes of PolyShop: its gateway, its eight services, and the relay of those that are not
 * Java. They end with this one.
 */
final class Shop implements AutoCloseable {
  static final String RELAY = "relay";

  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final int GRACE_SECONDS = 25;
  // A killed process takes with it the spans that it has not exported.
  private static final String EXPORT_MILLIS = "50";
  private static final List<String> JVM =
      List.of(
          Path.of(System.getProperty("java.home"), "bin", "java").toString(),
          "-Xmx160m",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1");

  private final PostgresServer postgres;
  private final KafkaServer kafka;
  private final String otlp;
  private final Path output;
  private final ProcessGuard guard;
  private final Map<JavaService, Integer> ports = new EnumMap<>(JavaService.class);
  private final Map<String, Process> running = new LinkedHashMap<>();

  /**
   * Prepares the processes.
   *
   * @param otlp URL of the receiver of their spans
   */
  Shop(PostgresServer postgres, KafkaServer kafka, String otlp) throws IOException {
    this.postgres = postgres;
    this.kafka = kafka;
    this.otlp = otlp;
    this.output = Files.createTempDirectory("waybill-polyshop-");
    this.guard = new ProcessGuard(output);
    for (JavaService service : JavaService.values()) {
      if (service.serves()) {
        ports.put(service, FreePort.find());
      }
    }
  }

  /** Creates the databases; the Java services create their tables themselves. */
  void createDatabases() throws SQLException, IOException {
    for (JavaService service : JavaService.values()) {
      if (service.stores()) {
        postgres.createDatabase(database(service));
      }
    }
    for (Service service : Service.values()) {
      service.createDatabase(postgres);
    }
  }

  /** Name of a database, which is no word of SQL. */
  static String database(JavaService service) {
    return service.profile() + "_service";
  }

  /** Names of all processes, in the order in which they start. */
  static List<String> names() {
    List<String> names = new ArrayList<>();
    for (JavaService service : JavaService.values()) {
      names.add(service.source());
    }
    for (Service service : Service.values()) {
      names.add(service.source());
    }
    names.add(RELAY);
    return names;
  }

  /** Starts all, and waits until requests are taken. */
  void start() {
    names().forEach(this::start);
    awaitServing();
  }

  /** Kills a process without warning, and starts it again. */
  void killAndStart(String name) throws InterruptedException {
    process(name).destroyForcibly().waitFor();
    start(name);
  }

  /** Asks all to end, those first that the others cause to work. */
  void stop() throws InterruptedException {
    for (Process process : running.values()) {
      process.destroy();
    }
    for (Process process : running.values()) {
      if (!process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    }
  }

  /** Where requests go. */
  URI gateway() {
    return base(JavaService.GATEWAY);
  }

  /** What a process printed. */
  String output(String name) throws IOException {
    Path file = output.resolve(name + ".out");
    return Files.exists(file) ? Files.readString(file).strip() : "";
  }

  private void awaitServing() {
    Awaitility.await("services")
        .atMost(PATIENCE)
        .until(() -> ports.values().stream().allMatch(Shop::listens));
  }

  private static boolean listens(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private Process process(String name) {
    Process process = running.get(name);
    if (process == null) {
      throw new IllegalArgumentException("there is no process " + name);
    }
    return process;
  }

  private void start(String name) {
    running.put(name, guard.run(name, environment(name), command(name)));
  }

  private List<String> command(String name) {
    for (Service service : Service.values()) {
      if (service.source().equals(name)) {
        return service.consumer();
      }
    }
    List<String> command = new ArrayList<>(JVM);
    if (name.equals(RELAY)) {
      command.addAll(Tools.relay());
      return command;
    }
    for (JavaService service : JavaService.values()) {
      if (service.source().equals(name)) {
        command.addAll(
            List.of(
                "-cp",
                System.getProperty("java.class.path"),
                PolyShopService.class.getName(),
                service.profile()));
      }
    }
    return command;
  }

  private Map<String, String> environment(String name) {
    Map<String, String> environment = new HashMap<>(Tools.pythonEnvironment());
    environment.put("KAFKA", kafka.bootstrapServers());
    environment.put("OTEL_EXPORTER_OTLP_ENDPOINT", otlp);
    environment.put("OTEL_BSP_SCHEDULE_DELAY", EXPORT_MILLIS);
    String server = "jdbc:postgresql://127.0.0.1:" + postgres.port() + "/";
    environment.put("PAYMENT_DATABASE", server + Service.PAYMENT.database());
    environment.put("NOTIFICATION_DATABASE", server + Service.NOTIFICATION.database());
    for (Service service : Service.values()) {
      if (service.source().equals(name)) {
        environment.put("DATABASE_URL", service.url(postgres));
      }
    }
    for (JavaService service : JavaService.values()) {
      if (service.serves()) {
        environment.put(service.name(), base(service).toString());
      }
      if (service.source().equals(name)) {
        environment.put("SPRING_DATASOURCE_URL", postgres.jdbcUrl(database(service)));
        environment.put("SERVER_PORT", Integer.toString(ports.getOrDefault(service, 0)));
      }
    }
    return environment;
  }

  private URI base(JavaService service) {
    return URI.create("http://127.0.0.1:" + ports.get(service));
  }

  @Override
  public void close() {
    guard.close();
  }
}
