package io.waybill.rabbitmq.internal.send;

import com.rabbitmq.client.AlreadyClosedException;
import com.rabbitmq.client.Connection;
import java.io.IOException;
import java.net.Socket;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One open connection with its four channels: the main one, one on which suspects go one at a time,
 * one for destinations that were silent, and one for those that have refused on this connection.
 * That one is opened anew after a refusal; the others on it are those that were in trouble before.
 */
public final class Session {
  private static final Logger LOG = LoggerFactory.getLogger(Session.class);
  private static final int ABORT_MILLIS = 1000;

  // Quorum queues that do not answer block their channel at 32.
  private static final int SILENT_WINDOW = 16;

  private final Connection connection;
  private final Socket socket;
  private final PublishWindow publishWindow;
  private final int window;
  private volatile ConfirmChannel main;
  private volatile ConfirmChannel alone;
  private volatile ConfirmChannel silent;
  private volatile ConfirmChannel refused;

  /** Opens the channels. */
  public Session(Connection connection, Socket socket, PublishWindow publishWindow, int window)
      throws IOException {
    this.connection = connection;
    this.socket = socket;
    this.publishWindow = publishWindow;
    this.window = window;
    this.main = open(window);
    this.alone = open(1);
    this.silent = open(SILENT_WINDOW);
    this.refused = open(window);
  }

  Connection connection() {
    return connection;
  }

  ConfirmChannel main() {
    return main;
  }

  ConfirmChannel alone() {
    return alone;
  }

  ConfirmChannel silent() {
    return silent;
  }

  ConfirmChannel refused() {
    return refused;
  }

  /** Whether an answer on it clears the send, or its destination, of suspicion. */
  boolean isAside(ConfirmChannel channel) {
    return channel == alone || channel == silent;
  }

  List<ConfirmChannel> channels() {
    return List.of(main, alone, silent, refused);
  }

  /** Whether a channel was closed or retires. Guarded by the lock of the publish window. */
  boolean needsRepair() {
    channels().forEach(ConfirmChannel::retire);
    return main.isDead() || alone.isDead() || silent.isDead() || refused.isDead();
  }

  /** Opens the channels again that were closed or have retired. Only the writer calls it. */
  void repair() throws IOException {
    if (main.isDead()) {
      main = anew(main, window);
    }
    if (alone.isDead()) {
      alone = anew(alone, 1);
    }
    if (silent.isDead()) {
      silent = anew(silent, SILENT_WINDOW);
    }
    if (refused.isDead()) {
      refused = anew(refused, window);
    }
  }

  private ConfirmChannel anew(ConfirmChannel dead, int window) throws IOException {
    ConfirmChannel opened = open(window);
    if (dead.isOpen()) {
      drop(dead);
    }
    return opened;
  }

  private ConfirmChannel open(int window) throws IOException {
    return ConfirmChannel.open(connection, publishWindow, window);
  }

  /** Writes a burst. May block as long as the broker does not read. */
  void write(Burst burst) throws IOException {
    CorkedSocket corked = socket instanceof CorkedSocket plain ? plain : null;
    if (corked != null) {
      corked.cork();
    }
    try {
      publish(main, burst.together());
      Send suspect = burst.alone();
      publish(alone, suspect == null ? List.of() : List.of(suspect));
      publish(silent, burst.silent());
      publish(refused, burst.refused());
    } finally {
      if (corked != null) {
        corked.uncork();
      }
    }
  }

  private void publish(ConfirmChannel channel, List<Send> sends) throws IOException {
    for (Send send : sends) {
      try {
        channel.publish(send);
      } catch (AlreadyClosedException e) {
        if (!connection.isOpen()) {
          throw e;
        }
        // The broker closed this channel alone. Its outstanding sends, the unwritten ones of this
        // burst among them, are reported by the channel's shutdown.
        return;
      } catch (IllegalArgumentException e) {
        publishWindow.refusedByClient(send, "the client library refused it: " + e.getMessage());
        // The library has counted the message and the broker has not: their numbers differ now.
        throw new IOException("delivery sequence lost after a refused message", e);
      }
    }
  }

  /**
   * Ends the connection without waiting: what would block happens on a thread of its own. Closing
   * the socket first frees a writer that the broker keeps waiting.
   */
  void drop() {
    aside(this::abort);
  }

  /** Ends one channel without waiting for it. */
  static void drop(ConfirmChannel channel) {
    aside(channel::abort);
  }

  private static void aside(Runnable closing) {
    Thread closer = new Thread(closing, "waybill-rabbit-closer");
    closer.setDaemon(true);
    closer.start();
  }

  private void abort() {
    try {
      // With a linger time of zero a TLS socket does not wait for a writer before it closes.
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException e) {
      LOG.debug("Closing the socket failed; the connection is aborted next.", e);
    }
    connection.abort(ABORT_MILLIS);
  }
}
