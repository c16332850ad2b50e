package io.waybill.proof.proxy;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * MySQL and MariaDB: a length of three bytes, a sequence number, a payload. The number begins again
 * with each command, so the first packet of a reply has the number that follows its command. A
 * client that sends commands ahead of the replies can confuse this only behind a result of more
 * than 255 packets. The OK packet behind a result set is not told from its rows.
 */
final class MySqlConversation implements Conversation {
  private static final int HEADER = 4;
  private static final int LARGEST = 0xFFFFFF;
  private static final int CLIENT_COMPRESS = 0x20;
  private static final int CLIENT_SSL = 0x800;
  private static final int CLIENT_ZSTD = 1 << 26;
  private static final int IN_TRANSACTION = 1;
  private static final int QUIT = 0x01;
  private static final int QUERY = 0x03;
  private static final int PREPARE = 0x16;
  private static final int EXECUTE = 0x17;
  private static final int LONG_DATA = 0x18;
  private static final int CLOSE = 0x19;
  private static final int BULK_EXECUTE = 0xFA;
  private static final int MOST_OK = HEADER + 1 + 9 + 9 + 2;

  private static final class Command {
    private final int type;
    private final String sql;
    private int packets = 1;

    private Command(int type, String sql) {
      this.type = type;
      this.sql = sql;
    }
  }

  private final Deque<Command> awaited = new ArrayDeque<>();
  private final Map<Integer, String> statements = new HashMap<>();
  private String lastPrepared = "";
  private boolean authenticated;
  private boolean compressed;
  private boolean opaque;
  private boolean requestGoesOn;

  @Override
  public synchronized @Nullable Frame head(Direction direction, ByteBuffer bytes) {
    if (opaque) {
      return Frame.other("bytes", bytes.remaining());
    }
    if (bytes.remaining() < HEADER) {
      return null;
    }
    long total = HEADER + (long) length(bytes);
    if (direction == Direction.TO_SERVER) {
      return authenticated ? request(bytes, total) : login(bytes, total);
    }
    return authenticated ? reply(bytes, total) : greeting(bytes, total);
  }

  private static int at(ByteBuffer bytes, int offset) {
    return bytes.get(bytes.position() + offset) & 0xFF;
  }

  private static int length(ByteBuffer bytes) {
    return at(bytes, 0) | at(bytes, 1) << 8 | at(bytes, 2) << 16;
  }

  private static int number(ByteBuffer bytes, int offset) {
    return at(bytes, offset)
        | at(bytes, offset + 1) << 8
        | at(bytes, offset + 2) << 16
        | at(bytes, offset + 3) << 24;
  }

  private @Nullable Frame login(ByteBuffer bytes, long total) {
    if (bytes.remaining() < Math.min(total, HEADER + 4)) {
      return null;
    }
    if (at(bytes, 3) == 1 && total >= HEADER + 4) {
      int wanted = number(bytes, HEADER);
      compressed = (wanted & (CLIENT_COMPRESS | CLIENT_ZSTD)) != 0;
      opaque = (wanted & CLIENT_SSL) != 0 && total == HEADER + 32;
    }
    return Frame.other("login", total);
  }

  private @Nullable Frame greeting(ByteBuffer bytes, long total) {
    if (bytes.remaining() < Math.min(total, HEADER + 1)) {
      return null;
    }
    if (at(bytes, 3) > 0 && total > HEADER && at(bytes, HEADER) == 0) {
      authenticated = true;
      opaque = compressed;
    }
    return Frame.other("greeting", total);
  }

  private @Nullable Frame request(ByteBuffer bytes, long total) {
    if (bytes.remaining() < Math.min(total, LOOK)) {
      return null;
    }
    boolean goesOn = requestGoesOn;
    requestGoesOn = total == HEADER + LARGEST;
    if (goesOn) {
      Command last = awaited.peekLast();
      if (last != null) {
        last.packets++;
      }
      return Frame.other("request", total);
    }
    if (at(bytes, 3) == 0 && total > HEADER) {
      command(at(bytes, HEADER), bytes, total);
    }
    return Frame.other("request", total);
  }

  private void command(int type, ByteBuffer bytes, long total) {
    switch (type) {
      case QUIT, LONG_DATA, CLOSE -> {
        if (type == CLOSE && total >= HEADER + 5) {
          statements.remove(number(bytes, HEADER + 1));
        }
      }
      case QUERY -> awaited.add(new Command(type, SqlText.text(bytes, HEADER + 1, total)));
      case PREPARE -> {
        lastPrepared = SqlText.text(bytes, HEADER + 1, total);
        awaited.add(new Command(type, lastPrepared));
      }
      case EXECUTE, BULK_EXECUTE -> {
        int id = total < HEADER + 5 ? -1 : number(bytes, HEADER + 1);
        // -1 stands for the statement that was prepared last, whose id is not known yet.
        String sql = id == -1 ? lastPrepared : statements.getOrDefault(id, "");
        awaited.add(new Command(type, sql));
      }
      default -> awaited.add(new Command(type, ""));
    }
  }

  private @Nullable Frame reply(ByteBuffer bytes, long total) {
    if (bytes.remaining() < Math.min(total, MOST_OK)) {
      return null;
    }
    Command next = awaited.peek();
    if (next == null || at(bytes, 3) != next.packets % 256 || total <= HEADER) {
      return Frame.other("packet", total);
    }
    awaited.remove();
    int first = at(bytes, HEADER);
    if (next.type == PREPARE) {
      if (first == 0 && total >= HEADER + 5) {
        statements.put(number(bytes, HEADER + 1), next.sql);
      }
      return Frame.other("prepared", total);
    }
    if (first != 0) {
      return Frame.other(first == 0xFF ? "ERR" : "result", total);
    }
    return Frame.of(kind(next, bytes), "OK", total).answering(next.sql);
  }

  private static FrameKind kind(Command command, ByteBuffer bytes) {
    if (SqlText.isCommit(command.sql)) {
      return FrameKind.COMMIT_REPLY;
    }
    boolean changed = at(bytes, HEADER + 1) != 0;
    int status = HEADER + 1;
    status += numberLength(at(bytes, status));
    status += numberLength(at(bytes, status));
    boolean open = (at(bytes, status) & IN_TRANSACTION) != 0;
    return changed && !open ? FrameKind.AUTOCOMMIT_REPLY : FrameKind.STATEMENT_REPLY;
  }

  private static int numberLength(int first) {
    return switch (first) {
      case 0xFC -> 3;
      case 0xFD -> 4;
      case 0xFE -> 9;
      default -> 1;
    };
  }
}
