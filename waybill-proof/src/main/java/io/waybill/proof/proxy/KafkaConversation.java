package io.waybill.proof.proxy;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Kafka: a size, then the api key in requests; responses carry only the number of the request. */
final class KafkaConversation implements Conversation {
  private static final int PRODUCE = 0;
  private static final int OFFSET_COMMIT = 8;
  private static final int REQUEST_HEAD = 12;
  private static final int RESPONSE_HEAD = 8;

  private final Map<Integer, Integer> apis = new ConcurrentHashMap<>();

  @Override
  public @Nullable Frame head(Direction direction, ByteBuffer bytes) {
    int head = direction == Direction.TO_SERVER ? REQUEST_HEAD : RESPONSE_HEAD;
    if (bytes.remaining() < 4) {
      return null;
    }
    long total = 4 + (bytes.getInt(bytes.position()) & 0xFFFFFFFFL);
    if (total < head) {
      return Frame.other("bytes", total);
    }
    if (bytes.remaining() < head) {
      return null;
    }
    return direction == Direction.TO_SERVER ? request(bytes, total) : response(bytes, total);
  }

  private Frame request(ByteBuffer bytes, long total) {
    int api = bytes.getShort(bytes.position() + 4);
    apis.put(bytes.getInt(bytes.position() + 8), api);
    FrameKind kind = api == PRODUCE ? FrameKind.PRODUCE_REQUEST : FrameKind.OTHER;
    return Frame.of(kind, "request of api " + api, total);
  }

  private Frame response(ByteBuffer bytes, long total) {
    Integer api = apis.remove(bytes.getInt(bytes.position() + 4));
    if (api == null) {
      return Frame.other("response without request", total);
    }
    FrameKind kind =
        switch (api) {
          case PRODUCE -> FrameKind.PRODUCE_RESPONSE;
          case OFFSET_COMMIT -> FrameKind.OFFSET_COMMIT_RESPONSE;
          default -> FrameKind.OTHER;
        };
    return Frame.of(kind, "response of api " + api, total);
  }
}
