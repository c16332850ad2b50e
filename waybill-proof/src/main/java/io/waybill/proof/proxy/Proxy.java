package io.waybill.proof.proxy;

import io.waybill.proof.server.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A TCP proxy in front of a server on this machine. Its port stays the same for its life; the
 * server may come and go. Toxics, rules and commands take effect at once, on open connections too,
 * and everything that it does is in its history. Thread-safe.
 *
 * <p>While the server cannot be reached, connections are accepted and reset.
 */
public final class Proxy implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Proxy.class);

  private volatile int target;
  private final int port;
  private final Door door;
  private final History history = new History();
  private final Toxics toxics = new Toxics();
  private final Rules rules = new Rules();
  private final Link.Shared shared;
  private final List<Link> links = new CopyOnWriteArrayList<>();
  private final AtomicInteger numbers = new AtomicInteger();

  private Proxy(Protocol protocol, int target, int port) {
    this.target = target;
    this.port = port;
    this.shared = new Link.Shared(toxics, rules, history, protocol);
    this.door = new Door(port, this::begin);
  }

  /**
   * Starts a proxy on a free port.
   *
   * @param protocol what is spoken
   * @param target port of the server on the loopback interface
   * @return the running proxy
   */
  public static Proxy start(Protocol protocol, int target) {
    return start(protocol, target, FreePort.find());
  }

  /**
   * Starts a proxy on a port of choice, for servers that tell their address to their clients.
   *
   * @param protocol what is spoken
   * @param target port of the server on the loopback interface
   * @param port where the proxy listens on the loopback interface
   * @return the running proxy
   */
  public static Proxy start(Protocol protocol, int target, int port) {
    Proxy proxy = new Proxy(protocol, target, port);
    proxy.door.open();
    return proxy;
  }

  /**
   * Where clients connect.
   *
   * @return port on the loopback interface
   */
  public int port() {
    return port;
  }

  /**
   * An address of the server, changed to lead through this proxy.
   *
   * @param address anything with the server's port behind a colon, for example a JDBC URL
   * @return the same with the proxy's port
   */
  public String through(String address) {
    String changed = address.replaceFirst(":" + target + "(?!\\d)", ":" + port);
    if (changed.equals(address)) {
      throw new IllegalArgumentException("The port " + target + " is not in " + address);
    }
    return changed;
  }

  /**
   * What was done.
   *
   * @return grows with the proxy
   */
  public History history() {
    return history;
  }

  /**
   * Number of open connections.
   *
   * @return those that neither side nor the proxy has ended
   */
  public int connections() {
    links.removeIf(Link::isClosed);
    return links.size();
  }

  /**
   * Adds a rule; its count begins now.
   *
   * @param rule the rule
   * @return the same rule
   */
  public Rule add(Rule rule) {
    rules.add(rule);
    return rule;
  }

  /**
   * Takes a rule away; one of two equal ones stays.
   *
   * @param rule an equal rule
   */
  public void remove(Rule rule) {
    rules.remove(rule);
  }

  /**
   * Adds a toxic to one direction of all connections.
   *
   * @param direction where the bytes go
   * @param toxic what they suffer from
   */
  public void add(Direction direction, Toxic toxic) {
    toxics.add(direction, toxic);
    history.add(Fired.command("add " + toxic, direction));
  }

  /**
   * Adds a toxic to both directions of all connections.
   *
   * @param toxic what they suffer from
   */
  public void add(Toxic toxic) {
    for (Direction direction : Direction.values()) {
      add(direction, toxic);
    }
  }

  /**
   * Takes a toxic away; one of two equal ones stays.
   *
   * @param direction where it was added
   * @param toxic an equal toxic
   */
  public void remove(Direction direction, Toxic toxic) {
    if (toxics.remove(direction, toxic)) {
      history.add(Fired.command("remove " + toxic, direction));
      if (toxic instanceof Toxic.BlackHole && !toxics.swallows(direction)) {
        resetIf(Link::isTorn);
      }
    }
  }

  /**
   * Takes a toxic away from both directions.
   *
   * @param toxic an equal toxic
   */
  public void remove(Toxic toxic) {
    for (Direction direction : Direction.values()) {
      remove(direction, toxic);
    }
  }

  /** Takes all toxics and rules away, resets what has lost bytes, and lets connections in. */
  public void heal() {
    rules.clear();
    toxics.clear();
    history.add(Fired.command("heal", null));
    resetIf(Link::isTorn);
    door.open();
  }

  /**
   * Leads new connections to another server. Open ones stay with the old one.
   *
   * @param server port of the server on the loopback interface
   */
  public void redirect(int server) {
    target = server;
    history.add(Fired.command("redirect to " + server, null));
  }

  /** Resets all connections. */
  public void reset() {
    history.add(Fired.command("reset", null));
    resetIf(link -> true);
  }

  private void resetIf(Predicate<Link> which) {
    links.stream().filter(which).forEach(Link::reset);
  }

  /** Ends all connections in an orderly way. */
  public void end() {
    history.add(Fired.command("close", null));
    links.forEach(Link::close);
  }

  /**
   * Tells the receivers of all connections that nothing more comes; what they send still arrives.
   *
   * @param direction which receivers
   */
  public void halfClose(Direction direction) {
    history.add(Fired.command("half-close", direction));
    links.forEach(link -> link.halfClose(direction));
  }

  /** Refuses new connections until {@link #admit} or {@link #heal}; open ones go on. */
  public void refuse() {
    history.add(Fired.command("refuse", null));
    door.close();
  }

  /** Lets new connections in again. */
  public void admit() {
    history.add(Fired.command("admit", null));
    door.open();
  }

  private void begin(Socket client) {
    links.removeIf(Link::isClosed);
    int number = numbers.incrementAndGet();
    start("proxy " + port + " connects", () -> connect(number, client));
  }

  private static void start(String name, Runnable task) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void connect(int number, Socket client) {
    try {
      Link link =
          new Link(number, client, new Socket(InetAddress.getLoopbackAddress(), target), shared);
      links.add(link);
      link.start();
    } catch (IOException e) {
      LOG.debug("Connection {} is reset, the server cannot be reached", number, e);
      Link.close(client, true);
    }
  }

  /** Resets all connections and refuses new ones for good. */
  @Override
  public void close() {
    door.close();
    toxics.end();
    resetIf(link -> true);
    links.clear();
  }
}
