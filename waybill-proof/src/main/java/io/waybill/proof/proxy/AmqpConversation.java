package io.waybill.proof.proxy;

import io.waybill.proof.proxy.Frame.Part;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * AMQP 0-9-1: type, channel, size, payload, end mark; a connection begins with a protocol header. A
 * method with content is followed by a header that says how long it is and by its pieces, on the
 * same channel: together they are one unit.
 */
final class AmqpConversation implements Conversation {
  private static final int PROTOCOL_HEADER = 8;
  private static final int METHOD = 1;
  private static final int CONTENT_HEADER = 2;
  private static final int BODY = 3;
  private static final int HEARTBEAT = 8;
  private static final int BASIC = 60;
  private static final int FRAME_HEAD = 7;
  private static final int METHOD_HEAD = FRAME_HEAD + 4;
  private static final int SIZE_HEAD = FRAME_HEAD + 12;

  private record Place(Direction direction, int channel) {}

  private final Map<Place, Long> contentLeft = new ConcurrentHashMap<>();

  @Override
  public @Nullable Frame head(Direction direction, ByteBuffer bytes) {
    int start = bytes.position();
    int type = bytes.get(start);
    if (type == 'A') {
      return Frame.other("protocol header", PROTOCOL_HEADER);
    }
    if (type != METHOD && type != CONTENT_HEADER && type != BODY && type != HEARTBEAT) {
      return Frame.other("bytes", bytes.remaining());
    }
    if (bytes.remaining() < FRAME_HEAD) {
      return null;
    }
    long size = bytes.getInt(start + 3) & 0xFFFFFFFFL;
    int head = type == METHOD ? METHOD_HEAD : type == CONTENT_HEADER ? SIZE_HEAD : FRAME_HEAD;
    long total = FRAME_HEAD + size + 1;
    if (total < head) {
      return Frame.other("frame", total);
    }
    if (bytes.remaining() < head) {
      return null;
    }
    Place place = new Place(direction, bytes.getShort(start + 1) & 0xFFFF);
    return switch (type) {
      case METHOD -> method(place, bytes, total);
      case CONTENT_HEADER -> content(place, bytes.getLong(start + FRAME_HEAD + 4), total);
      case BODY -> content(place, contentLeft.getOrDefault(place, 0L) - size, total);
      default -> Frame.other("heartbeat", total);
    };
  }

  private Frame content(Place place, long left, long total) {
    contentLeft.put(place, left);
    return Frame.other("content", total).as(place.channel(), left > 0 ? Part.MIDDLE : Part.LAST);
  }

  private static Frame method(Place place, ByteBuffer bytes, long total) {
    int group = bytes.getShort(bytes.position() + FRAME_HEAD);
    int method = bytes.getShort(bytes.position() + FRAME_HEAD + 2);
    if (group != BASIC) {
      String name = "method " + group + "." + method;
      return Frame.other(name, total).as(place.channel(), Part.WHOLE);
    }
    Frame frame =
        switch (method) {
          case 40 -> Frame.of(FrameKind.BASIC_PUBLISH, "basic.publish", total);
          case 50 -> Frame.of(FrameKind.BASIC_RETURN, "basic.return", total);
          case 60 -> Frame.other("basic.deliver", total);
          case 71 -> Frame.other("basic.get-ok", total);
          case 80 -> Frame.of(FrameKind.BASIC_ACK, "basic.ack", total);
          case 120 -> Frame.of(FrameKind.BASIC_NACK, "basic.nack", total);
          default -> Frame.other("basic." + method, total);
        };
    boolean content = method == 40 || method == 50 || method == 60 || method == 71;
    return frame.as(place.channel(), content ? Part.FIRST : Part.WHOLE);
  }
}
