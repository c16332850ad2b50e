package io.waybill.proof.proxy;

import io.waybill.proof.proxy.Frame.Part;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL: a type byte and a length that counts itself. Only the first messages of a client have
 * no type, and the answer to a request for encryption is a single byte. The end of a statement and
 * what follows it up to {@code ReadyForQuery} are one unit: a client that misses only the first
 * goes on as if nothing had happened.
 */
final class PostgresConversation implements Conversation {
  private static final int SSL_REQUEST = 80877103;
  private static final int GSS_REQUEST = 80877104;
  private static final int MOST_STARTUP = 10_000;

  /** A statement or a Sync whose answer has not come. */
  private record Awaited(String sql, boolean lastsUntilReady) {}

  private final Map<String, String> statements = new HashMap<>();
  private final Map<String, String> portals = new HashMap<>();
  private final Deque<Awaited> awaited = new ArrayDeque<>();
  private boolean started;
  private boolean asked;
  private boolean opaque;
  private boolean inTransaction;
  private boolean afterCompletion;

  @Override
  public synchronized @Nullable Frame head(Direction direction, ByteBuffer bytes) {
    if (opaque) {
      return Frame.other("bytes", bytes.remaining());
    }
    if (direction == Direction.TO_SERVER) {
      return started ? request(bytes) : startup(bytes);
    }
    return asked ? encryptionAnswer(bytes) : reply(bytes);
  }

  private @Nullable Frame startup(ByteBuffer bytes) {
    if (bytes.remaining() < 8) {
      return null;
    }
    int length = bytes.getInt(bytes.position());
    if (length < 8 || length > MOST_STARTUP) {
      return unknown(bytes);
    }
    int code = bytes.getInt(bytes.position() + 4);
    if (code == SSL_REQUEST || code == GSS_REQUEST) {
      asked = true;
      return Frame.other("EncryptionRequest", length);
    }
    started = true;
    return Frame.other("Startup", length);
  }

  private @Nullable Frame encryptionAnswer(ByteBuffer bytes) {
    asked = false;
    switch (bytes.get(bytes.position())) {
      case 'N' -> {
        return Frame.other("EncryptionRefused", 1);
      }
      case 'S', 'G' -> {
        opaque = true;
        return Frame.other("EncryptionAccepted", 1);
      }
      default -> {
        return reply(bytes);
      }
    }
  }

  private Frame unknown(ByteBuffer bytes) {
    opaque = true;
    return Frame.other("bytes", bytes.remaining());
  }

  private static long total(ByteBuffer bytes) {
    return 1L + bytes.getInt(bytes.position() + 1);
  }

  private static char type(ByteBuffer bytes) {
    return (char) bytes.get(bytes.position());
  }

  private @Nullable Frame request(ByteBuffer bytes) {
    if (bytes.remaining() < 5) {
      return null;
    }
    long total = total(bytes);
    if (total < 5) {
      return unknown(bytes);
    }
    char type = type(bytes);
    boolean looked = "QPBEC".indexOf(type) >= 0;
    if (looked && bytes.remaining() < Math.min(total, LOOK)) {
      return null;
    }
    remember(type, bytes, total);
    return Frame.other("request " + type, total);
  }

  private void remember(char type, ByteBuffer bytes, long total) {
    if (type == 'Q') {
      awaited.add(new Awaited(SqlText.zeroEnded(bytes, 5, total), true));
    } else if (type == 'S' || type == 'F') {
      awaited.add(new Awaited("", true));
    } else if ("PBE".indexOf(type) >= 0) {
      String first = SqlText.zeroEnded(bytes, 5, total);
      int next = 5 + first.getBytes(StandardCharsets.UTF_8).length + 1;
      if (type == 'P') {
        statements.put(first, SqlText.zeroEnded(bytes, next, total));
      } else if (type == 'B') {
        String statement = SqlText.zeroEnded(bytes, next, total);
        portals.put(first, statements.getOrDefault(statement, ""));
      } else {
        awaited.add(new Awaited(portals.getOrDefault(first, ""), false));
      }
    } else if (type == 'C' && bytes.get(bytes.position() + 5) == 'S') {
      statements.remove(SqlText.zeroEnded(bytes, 6, total));
    }
  }

  private @Nullable Frame reply(ByteBuffer bytes) {
    if (bytes.remaining() < 5) {
      return null;
    }
    long total = total(bytes);
    if (total < 5) {
      return unknown(bytes);
    }
    char type = type(bytes);
    boolean looked = type == 'C' || type == 'Z';
    if (looked && bytes.remaining() < Math.min(total, LOOK)) {
      return null;
    }
    return switch (type) {
      case 'C' -> completion(SqlText.zeroEnded(bytes, 5, total), total);
      case 'Z' -> ready(bytes, total);
      case 's', 'I' -> {
        answered();
        yield rest(type, total);
      }
      default -> rest(type, total);
    };
  }

  private Frame rest(char type, long total) {
    Frame frame = Frame.other("reply " + type, total);
    Part part = type == 'Z' ? Part.LAST : Part.MIDDLE;
    return afterCompletion ? frame.as(0, part) : frame;
  }

  private Frame completion(String tag, long total) {
    String sql = answered();
    boolean alone = !inTransaction;
    if (tag.equals("BEGIN") || tag.equals("START TRANSACTION")) {
      inTransaction = true;
    } else if (tag.equals("COMMIT") || tag.equals("ROLLBACK")) {
      inTransaction = false;
    }
    afterCompletion = true;
    return Frame.of(kind(tag, sql, alone), "CommandComplete " + tag, total)
        .as(0, Part.FIRST)
        .answering(sql);
  }

  private static FrameKind kind(String tag, String sql, boolean alone) {
    if (tag.equals("COMMIT")) {
      return FrameKind.COMMIT_REPLY;
    }
    return alone && SqlText.writes(sql) ? FrameKind.AUTOCOMMIT_REPLY : FrameKind.STATEMENT_REPLY;
  }

  private String answered() {
    Awaited next = awaited.peek();
    if (next == null) {
      return "";
    }
    if (!next.lastsUntilReady()) {
      awaited.remove();
    }
    return next.sql();
  }

  private Frame ready(ByteBuffer bytes, long total) {
    inTransaction = bytes.get(bytes.position() + 5) != 'I';
    Awaited done = awaited.poll();
    while (done != null && !done.lastsUntilReady()) {
      done = awaited.poll();
    }
    Frame frame = rest('Z', total);
    afterCompletion = false;
    return frame;
  }
}
