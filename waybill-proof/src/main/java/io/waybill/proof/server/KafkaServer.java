package io.waybill.proof.server;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;
import org.awaitility.Awaitility;

/**
 * A real Kafka broker (one node, KRaft) in a process of its own, on loopback ports that stay the
 * same for its life. It ends with {@link #close}, with this JVM, and also when this JVM is killed.
 * A Ctrl-C in the terminal does not reach it.
 *
 * <p>Not thread-safe. Topics are not created by themselves: use {@link #createTopic}.
 */
public final class KafkaServer implements AutoCloseable {
  private static final List<String> SOON_UP = List.of("-XX:TieredStopAtLevel=1");

  /**
   * The ports of one server.
   *
   * @param broker plain listener
   * @param client listener with the chosen protocol
   * @param controller controller's own
   * @param proxied plain listener whose clients come through a proxy
   * @param proxy where that proxy listens
   */
  record Ports(int broker, int client, int controller, int proxied, int proxy) {
    static Ports find(int controller) {
      return new Ports(
          FreePort.find(), FreePort.find(), controller, FreePort.find(), FreePort.find());
    }
  }

  private final Path dir;
  private final ProcessGuard guard;
  private final Ports ports;
  private final KafkaProcess process;
  private final String clusterId;
  private final Thread endWithJvm;

  private KafkaServer(Path dir, Ports ports, List<String> jvmOptions, String clusterId) {
    this.clusterId = clusterId;
    this.dir = dir;
    this.guard = new ProcessGuard(dir);
    this.ports = ports;
    this.process = new KafkaProcess(logFile(), () -> command(jvmOptions));
    this.endWithJvm = new Thread(process::killNow, "kafka-server-end");
  }

  /**
   * Starts a broker that is soon up and not for measurements, and waits until it answers.
   *
   * @return the running broker
   */
  public static KafkaServer launch() {
    return launch("PLAINTEXT", Map.of());
  }

  /**
   * Starts a broker whose code is compiled to run fast for long, and waits until it answers.
   *
   * @return the running broker
   */
  public static KafkaServer launchForLoad() {
    return launch("PLAINTEXT", Map.of(), List.of());
  }

  /**
   * Starts a broker whose second listener uses a protocol of choice, and waits until it answers.
   *
   * @param clientProtocol security protocol of {@link #clientServers()}, for example {@code
   *     SASL_PLAINTEXT}
   * @param overrides broker properties on top of those for a fast single node
   * @return the running broker
   */
  public static KafkaServer launch(String clientProtocol, Map<String, String> overrides) {
    return launch(clientProtocol, overrides, SOON_UP);
  }

  /**
   * Starts a second broker in the cluster of a first one, and waits until it answers. It needs the
   * first one to start and to lead.
   *
   * @param first broker with the controller; it has id 1 and this one has 2
   * @return the running broker
   */
  public static KafkaServer launchBeside(KafkaServer first) {
    Ports ports = Ports.find(first.ports.controller());
    Map<String, String> broker =
        Map.of(
            "process.roles", "broker",
            "node.id", "2",
            "listeners", KafkaSettings.listeners(ports, ports.proxied()));
    return launch(ports, "PLAINTEXT", broker, SOON_UP, first.clusterId);
  }

  /**
   * The same with options of the broker's JVM.
   *
   * @param clientProtocol security protocol of {@link #clientServers()}
   * @param overrides broker properties on top of those for a fast single node
   * @param jvmOptions for example {@code -Dname=value}
   * @return the running broker
   */
  public static KafkaServer launch(
      String clientProtocol, Map<String, String> overrides, List<String> jvmOptions) {
    Ports ports = Ports.find(FreePort.find());
    return launch(ports, clientProtocol, overrides, jvmOptions, Uuid.randomUuid().toString());
  }

  private static KafkaServer launch(
      Ports ports,
      String clientProtocol,
      Map<String, String> overrides,
      List<String> jvmOptions,
      String clusterId) {
    try {
      Path dir = Files.createTempDirectory("waybill-kafka-");
      KafkaSettings.write(dir, ports, clientProtocol, overrides);
      KafkaServer server = new KafkaServer(dir, ports, jvmOptions, clusterId);
      Runtime.getRuntime().addShutdownHook(server.endWithJvm);
      server.start();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Starts the broker again after {@link #stop} or {@link #kill}: same data, same ports. */
  public void start() {
    begin();
    awaitReady();
  }

  /** Starts the broker again like {@link #start}, but does not wait until it answers. */
  public void begin() {
    process.begin();
  }

  private List<String> command(List<String> jvmOptions) {
    List<String> command =
        new ArrayList<>(
            List.of(
                "sh",
                "-c",
                "trap '' INT; exec \"$@\"",
                "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-Xms128m",
                "-XX:+UseSerialGC"));
    command.addAll(jvmOptions);
    command.addAll(KafkaArchive.classes(version()));
    command.addAll(
        List.of(
            "-Dlogback.configurationFile=" + dir.resolve("logback.xml"),
            KafkaProcessMain.class.getName(),
            dir.resolve("server.properties").toString(),
            dir.resolve("data").toString(),
            clusterId));
    return command;
  }

  /** Waits until the broker answers and its topics have leaders, as long as it makes progress. */
  public void awaitReady() {
    StartProgress progress = new StartProgress(dir);
    AtomicBoolean ready = new AtomicBoolean();
    try (Admin admin = admin()) {
      Awaitility.await("Kafka broker, see " + logFile())
          .atMost(StartProgress.MOST)
          .pollInterval(Duration.ofMillis(50))
          .pollDelay(Duration.ZERO)
          .until(
              () -> {
                ready.set(KafkaTopics.areReady(admin));
                return ready.get() || !process.running().isAlive() || progress.isStalled();
              });
    }
    if (!ready.get()) {
      throw new IllegalStateException("the broker did not start, see " + logFile());
    }
    ServerReport.used("Kafka", version());
  }

  /** The broker is of the same version as the client. */
  private static String version() {
    Properties properties = new Properties();
    try (InputStream file = Admin.class.getResourceAsStream("/kafka/kafka-version.properties")) {
      properties.load(Objects.requireNonNull(file, "version of Kafka"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty("version");
  }

  /**
   * The plain listener.
   *
   * @return host and port
   */
  public String bootstrapServers() {
    return "127.0.0.1:" + ports.broker();
  }

  /**
   * The listener with the protocol that was chosen at the launch.
   *
   * @return host and port
   */
  public String clientServers() {
    return "127.0.0.1:" + ports.client();
  }

  /**
   * A plain listener that tells its clients to come to {@link #proxyPort()}, where a test may start
   * a proxy. Nobody listens there otherwise.
   *
   * @return port of the listener itself
   */
  public int proxiedPort() {
    return ports.proxied();
  }

  /**
   * Where clients of {@link #proxiedPort()} are sent.
   *
   * @return port for a proxy
   */
  public int proxyPort() {
    return ports.proxy();
  }

  /**
   * What the broker prints.
   *
   * @return log file, removed by {@link #close}
   */
  public File logFile() {
    return dir.resolve("server.log").toFile();
  }

  /**
   * Creates a topic and waits until it can be used.
   *
   * @param name topic
   * @param partitions number of partitions
   * @param configs topic configuration
   */
  public void createTopic(String name, int partitions, Map<String, String> configs) {
    try (Admin admin = admin()) {
      KafkaTopics.create(admin, new NewTopic(name, partitions, (short) 1).configs(configs));
    }
  }

  /**
   * Deletes a topic and waits until it is gone.
   *
   * @param name topic
   */
  public void deleteTopic(String name) {
    try (Admin admin = admin()) {
      KafkaTopics.delete(admin, name);
    }
  }

  /**
   * A new administration client on the plain listener.
   *
   * @return client, to be closed by the caller
   */
  public Admin admin() {
    return Admin.create(Map.of("bootstrap.servers", bootstrapServers()));
  }

  /** Kills the broker without warning (SIGKILL) and waits for its end. */
  public void kill() {
    process.kill();
  }

  /** Stops the broker in order (SIGTERM) and waits for its end. */
  public void stop() {
    process.stop();
  }

  /** Stops the broker's process from running without ending it (SIGSTOP). */
  public void freeze() {
    process.freeze();
  }

  /** Lets a frozen broker go on (SIGCONT). */
  public void thaw() {
    process.thaw();
  }

  /**
   * The broker's process.
   *
   * @return process id
   */
  public long pid() {
    return process.running().pid();
  }

  /** Ends the broker and removes its files. Idempotent. */
  @Override
  public void close() {
    process.close();
    if (Thread.currentThread() != endWithJvm) {
      Runtime.getRuntime().removeShutdownHook(endWithJvm);
    }
    guard.close();
  }
}
