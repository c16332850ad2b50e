package io.waybill.proof.proxy;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One proxied connection: two sockets, and a reading and a writing thread for each direction. */
final class Link {
  private static final Logger LOG = LoggerFactory.getLogger(Link.class);
  private static final int CHUNK = 16_384;

  /** What the connections of a proxy have in common. */
  record Shared(Toxics toxics, Rules rules, History history, Protocol protocol) {}

  private final int number;
  private final Socket client;
  private final Socket server;
  private final Shared shared;
  private final Conversation conversation;
  private final Map<Direction, Outlet> outlets = new EnumMap<>(Direction.class);
  private final Set<Direction> ended = EnumSet.noneOf(Direction.class);
  private final List<Thread> threads = new CopyOnWriteArrayList<>();
  private volatile boolean silent;
  private volatile boolean torn;
  private volatile boolean closed;

  Link(int number, Socket client, Socket server, Shared shared) {
    this.number = number;
    this.client = client;
    this.server = server;
    this.shared = shared;
    this.conversation = shared.protocol().begin();
  }

  void start() throws IOException {
    client.setTcpNoDelay(true);
    server.setTcpNoDelay(true);
    for (Direction direction : Direction.values()) {
      outlets.put(
          direction, new Outlet(direction, shared.toxics(), receiver(direction).getOutputStream()));
    }
    for (Direction direction : Direction.values()) {
      Outlet outlet = outlet(direction);
      run("writes " + direction, outlet::run);
      run("reads " + direction, () -> read(direction, outlet));
    }
  }

  boolean isClosed() {
    return closed;
  }

  /** Whether bytes or an end were swallowed: the connection cannot go on as if nothing was. */
  boolean isTorn() {
    return torn;
  }

  private Socket receiver(Direction direction) {
    return direction == Direction.TO_CLIENT ? client : server;
  }

  private Outlet outlet(Direction direction) {
    Outlet outlet = outlets.get(direction);
    if (outlet == null) {
      throw new IllegalStateException("The link has not been started");
    }
    return outlet;
  }

  private void run(String name, Outlet.Work work) {
    Thread thread =
        new Thread(
            () -> {
              try {
                work.run();
              } catch (IOException e) {
                broken(e);
              } catch (InterruptedException e) {
                // The link is closed.
                Thread.currentThread().interrupt();
              }
            },
            "proxy " + number + " " + name);
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
  }

  /** One side has gone without a farewell: so does the other, unless nobody would notice. */
  private void broken(IOException cause) {
    if (!closed) {
      LOG.debug("Connection {} broke: {}", number, cause.getMessage());
      if (silent || swallowedByToxic()) {
        torn = true;
      } else {
        reset();
      }
    }
  }

  private boolean swallowedByToxic() {
    return shared.toxics().swallows(Direction.TO_CLIENT)
        || shared.toxics().swallows(Direction.TO_SERVER);
  }

  private void read(Direction direction, Outlet outlet) throws IOException, InterruptedException {
    Gate gate = new Gate(new GateReach(direction), outlet);
    Splitter splitter = new Splitter(conversation, direction, gate);
    Socket sender = direction == Direction.TO_CLIENT ? server : client;
    InputStream in = sender.getInputStream();
    byte[] chunk = new byte[CHUNK];
    for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
      splitter.accept(chunk, count);
      gate.flush();
    }
    splitter.finish();
    gate.flush();
    if (silent || shared.toxics().swallows(direction)) {
      torn = true;
    } else {
      outlet.step(() -> end(direction));
    }
  }

  /** The receiver is told that nothing more comes. */
  private void end(Direction direction) throws IOException {
    outlet(direction).finish();
    boolean last;
    synchronized (ended) {
      ended.add(direction);
      last = ended.size() == Direction.values().length;
    }
    if (last) {
      close();
    } else {
      receiver(direction).shutdownOutput();
    }
  }

  /** Ends one direction now, whatever waits in it. */
  void halfClose(Direction direction) {
    try {
      end(direction);
    } catch (IOException e) {
      broken(e);
    }
  }

  /** Swallows everything from now on. */
  void blackHole() {
    silent = true;
    torn = true;
  }

  /** Both sides see a reset. */
  void reset() {
    end(true);
  }

  /** Both sides see an orderly end, as far as they have read everything. */
  void close() {
    end(false);
  }

  private void end(boolean abruptly) {
    closed = true;
    for (Socket socket : List.of(client, server)) {
      close(socket, abruptly);
    }
    for (Thread thread : threads) {
      if (thread != Thread.currentThread()) {
        thread.interrupt();
      }
    }
    outlets.values().forEach(Outlet::finish);
  }

  static void close(Socket socket, boolean abruptly) {
    try {
      if (abruptly) {
        // Closing without lingering sends a reset.
        socket.setSoLinger(true, 0);
      }
      socket.close();
    } catch (IOException e) {
      LOG.debug("A socket was closed already: {}", e.getMessage());
    }
  }

  private final class GateReach implements Gate.Reach {
    private final Direction direction;

    GateReach(Direction direction) {
      this.direction = direction;
    }

    @Override
    public Optional<Rule> firing(Frame frame) {
      Optional<Rule> rule = shared.rules().firing(direction, frame);
      rule.ifPresent(r -> shared.history().add(Fired.rule(r, number, direction, frame.name())));
      return rule;
    }

    @Override
    public boolean swallows() {
      if (silent || shared.toxics().swallows(direction)) {
        torn = true;
        return true;
      }
      return false;
    }

    @Override
    public void cut(Action kind) throws InterruptedException {
      if (kind instanceof Action.BlackHole) {
        blackHole();
      } else if (kind instanceof Action.HalfClose) {
        outlet(direction).step(() -> end(direction));
      } else {
        outlet(direction).step(kind instanceof Action.Reset ? Link.this::reset : Link.this::close);
      }
    }
  }
}
