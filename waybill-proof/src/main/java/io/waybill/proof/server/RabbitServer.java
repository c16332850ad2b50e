package io.waybill.proof.server;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import io.waybill.testkit.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A private RabbitMQ node for tests, of {@link RabbitPrograms#tested} unless others are given.
 *
 * <p>It listens on the loopback interface only, on free ports, with its own data, log, cookie and
 * port mapper in a temporary directory. Nothing of it outlives {@link #close} or this JVM, even
 * when the JVM is killed. Not thread-safe.
 */
public final class RabbitServer implements AutoCloseable {
  private static final Duration ANSWER_LIMIT = Patience.of(Duration.ofSeconds(60));
  private static final Duration STOP_LIMIT = Patience.of(Duration.ofSeconds(90));

  private final RabbitPrograms programs;
  private final RabbitNode node;
  private final ProcessGuard guard;
  private final Thread shutdownHook;
  private @Nullable Process portMapper;
  private @Nullable Process broker;
  private boolean frozen;
  private boolean closed;

  private RabbitServer(RabbitPrograms programs, RabbitNode node) {
    this.programs = programs;
    this.node = node;
    this.guard = new ProcessGuard(node.home());
    this.shutdownHook = new Thread(guard::close, "rabbit-server-shutdown");
    Runtime.getRuntime().addShutdownHook(shutdownHook);
  }

  /**
   * Starts a node without plugins and waits until it takes connections.
   *
   * @return the running node
   * @throws IllegalStateException when the programs cannot be had or the node does not start
   */
  public static RabbitServer launch() {
    return launch(List.of(), List.of());
  }

  /**
   * Starts a node and waits until it takes connections.
   *
   * @param plugins plugins to enable, for example {@code rabbitmq_management}
   * @param settings lines to add to {@code rabbitmq.conf}
   * @return the running node
   * @throws IllegalStateException when the programs cannot be had or the node does not start
   */
  public static RabbitServer launch(List<String> plugins, List<String> settings) {
    return launch(RabbitPrograms.tested(), plugins, settings);
  }

  /**
   * Starts a node of given programs and waits until it takes connections.
   *
   * @param programs which RabbitMQ
   * @param plugins plugins to enable, for example {@code rabbitmq_management}
   * @param settings lines to add to {@code rabbitmq.conf}
   * @return the running node
   * @throws IllegalStateException when the node does not start
   */
  public static RabbitServer launch(
      RabbitPrograms programs, List<String> plugins, List<String> settings) {
    return started(programs, RabbitNode.in(temporaryDirectory()), plugins, settings);
  }

  /**
   * Starts a further node of this one's cluster, without plugins, and waits until it is a member.
   * Its port mapper is this one's, so it is to be closed first. For unpacked programs: nodes of an
   * installed package do not share a cookie in this way.
   *
   * @return the running node
   * @throws IllegalStateException when the node does not start or join
   */
  public RabbitServer launchMember() {
    RabbitNode beside = RabbitNode.beside(node, temporaryDirectory());
    RabbitServer member = started(programs, beside, List.of(), List.of());
    try {
      member.ctl("stop_app");
      member.ctl("join_cluster", node.name());
      member.ctl("start_app");
      return member;
    } catch (RuntimeException e) {
      member.close();
      throw e;
    }
  }

  private static RabbitServer started(
      RabbitPrograms programs, RabbitNode node, List<String> plugins, List<String> settings) {
    node.writeFiles(plugins, settings);
    RabbitServer server = new RabbitServer(programs, node);
    try {
      server.start();
      return server;
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
  }

  /**
   * What the node is called in its cluster.
   *
   * @return Erlang's name of it
   */
  public String name() {
    return node.name();
  }

  /**
   * Where the node listens.
   *
   * @return host name
   */
  public String host() {
    return "127.0.0.1";
  }

  /**
   * Where the node listens for AMQP.
   *
   * @return port number, the same after a restart
   */
  public int port() {
    return node.port();
  }

  /**
   * Address with the credentials of the node's only user.
   *
   * @return {@code amqp://} URI
   */
  public String uri() {
    return "amqp://guest:guest@" + host() + ":" + port();
  }

  /**
   * Address of the management API; it answers only when {@code rabbitmq_management} is enabled.
   *
   * @return {@code http://} URL without path
   */
  public String managementUrl() {
    return "http://" + host() + ":" + node.managementPort();
  }

  /**
   * Where everything is that the node writes.
   *
   * @return directory, deleted by {@link #close}
   */
  public Path home() {
    return node.home();
  }

  /**
   * Process id of the broker, for measurements.
   *
   * @return pid
   */
  public long pid() {
    return running().pid();
  }

  /** Starts the node on its data and waits until it takes connections. No effect when it runs. */
  public void start() {
    if (broker != null && broker.isAlive()) {
      return;
    }
    if (portMapper == null || !portMapper.isAlive()) {
      portMapper = guard.run("epmd", node.environment(), programs.portMapper());
    }
    List<String> command = programs.script("rabbitmq-server", List.of("-noinput", "+B", "i"));
    broker = guard.run("broker", node.environment(), command);
    awaitConnection();
  }

  /** Stops the node in an orderly way. */
  public void stop() {
    Process process = running();
    process.destroy();
    await(process, "stop");
  }

  /**
   * Ends the node by {@code kill -9} and waits until it is gone.
   *
   * <p>RabbitMQ 3.10 saves the names of quorum queues only every few minutes and forgets younger
   * ones when it is killed, whatever was confirmed; definitions are kept in memory for up to two
   * seconds. No publisher can do anything about that, so both are saved before the kill; messages
   * are lost or kept as in a real crash.
   */
  public void kill() {
    Process process = running();
    if (!frozen) {
      // A table that has been closed since the list was made is saved already.
      ctl("eval", "mnesia:sync_log(), [catch dets:sync(Table) || Table <- dets:all()].");
    }
    frozen = false;
    process.destroyForcibly();
    await(process, "die");
  }

  /** Stops the node's process by signal: connections stay open and nothing answers. */
  public void freeze() {
    Frozen.freeze(running().pid());
    frozen = true;
  }

  /** Lets a frozen node run on. */
  public void thaw() {
    Frozen.thaw(running().pid());
    frozen = false;
  }

  /**
   * Runs {@code rabbitmqctl} against this node.
   *
   * @param arguments command and its arguments, for example {@code set_vm_memory_high_watermark, 0}
   * @return what it printed
   * @throws IllegalStateException when it fails, with its output
   */
  public String ctl(String... arguments) {
    List<String> command = new ArrayList<>(List.of("-q"));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(programs.script("rabbitmqctl", command)).redirectErrorStream(true);
    builder.environment().putAll(node.environment());
    try {
      Process process = builder.start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IllegalStateException("rabbitmqctl " + List.of(arguments) + ": " + output);
      }
      return output;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while rabbitmqctl ran", e);
    }
  }

  /** Ends the node and its port mapper at once and deletes its directory. Idempotent. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    guard.close();
    try {
      Runtime.getRuntime().removeShutdownHook(shutdownHook);
    } catch (IllegalStateException e) {
      return; // The JVM is going down; the hook runs on its own.
    }
  }

  private static Path temporaryDirectory() {
    try {
      return Files.createTempDirectory("waybill-rabbit");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Process running() {
    if (broker == null) {
      throw new IllegalStateException("the node " + node.name() + " was never started");
    }
    return broker;
  }

  private void await(Process process, String what) {
    try {
      if (!process.waitFor(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new IllegalStateException("the node " + node.name() + " did not " + what);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for " + node.name(), e);
    }
  }

  private void awaitConnection() {
    StartProgress progress = new StartProgress(node.home());
    for (String refusal = refusal(); refusal != null; refusal = refusal()) {
      if (!running().isAlive() || progress.isStalled()) {
        throw new IllegalStateException(
            "RabbitMQ did not start, the last connection ended with " + refusal + ": " + output());
      }
      pause();
    }
  }

  /** Why the node takes no connection, or null if it does. */
  private @Nullable String refusal() {
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost(host());
    factory.setPort(port());
    factory.setAutomaticRecoveryEnabled(false);
    factory.setHandshakeTimeout((int) ANSWER_LIMIT.toMillis());
    factory.setChannelRpcTimeout((int) ANSWER_LIMIT.toMillis());
    try (Connection connection = factory.newConnection("launcher")) {
      ServerReport.used(
          "RabbitMQ", String.valueOf(connection.getServerProperties().get("version")));
      return connection.isOpen() ? null : "a closed connection";
    } catch (IOException | TimeoutException e) {
      return e.toString();
    }
  }

  private void pause() {
    try {
      // Ends early when the node dies, and otherwise spaces the attempts.
      running().waitFor(100, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while RabbitMQ started", e);
    }
  }

  private String output() {
    try {
      String all = Files.readString(node.home().resolve("broker.out"));
      return all.substring(Math.max(0, all.length() - 2000));
    } catch (IOException e) {
      return "no output (" + e.getMessage() + ")";
    }
  }
}
