package io.waybill.kafka.internal.send;

import io.waybill.broker.Outgoing;
import io.waybill.message.Header;
import java.nio.charset.StandardCharsets;
import java.util.zip.Deflater;
import org.jspecify.annotations.Nullable;

/** How large a message is for a broker, which measures batches as they come: compressed. */
final class RecordSize {
  /** Batch header plus the largest frame of a record. */
  private static final int BATCH_OVERHEAD = 61 + 21;

  private static final int HEADER_OVERHEAD = 10;
  private static final int CHUNK = 64 * 1024;

  private RecordSize() {}

  /** A bound of the bytes that a batch with this message alone takes, before compression. */
  static long most(Outgoing message) {
    long size = withoutHeaders(message);
    for (Header header : message.headers()) {
      size += HEADER_OVERHEAD + utf8(header.name()).length + utf8(header.value()).length;
    }
    return size;
  }

  /** Whether it may be larger than that; found without encoding a header where it is not close. */
  static boolean mayExceed(Outgoing message, long limit) {
    long rough = withoutHeaders(message);
    for (Header header : message.headers()) {
      rough += HEADER_OVERHEAD + 3L * (header.name().length() + header.value().length());
    }
    return rough > limit && most(message) > limit;
  }

  /**
   * What it may shrink to: the deflated size, below which of Kafka's kinds only zstd comes, by a
   * third at most. Takes some time: a large message is squeezed on a worker's thread.
   *
   * @param compression the client's {@code compression.type}
   */
  static long least(Outgoing message, String compression) {
    if (compression.equals("none")) {
      return most(message);
    }
    Deflater deflater = new Deflater();
    try {
      long size = BATCH_OVERHEAD;
      size += squeezed(deflater, message.body());
      size += squeezed(deflater, message.key());
      for (Header header : message.headers()) {
        size += squeezed(deflater, utf8(header.name())) + squeezed(deflater, utf8(header.value()));
      }
      deflater.finish();
      size += drained(deflater);
      return compression.equals("zstd") ? size * 2 / 3 : size;
    } finally {
      deflater.end();
    }
  }

  private static long squeezed(Deflater deflater, byte @Nullable [] bytes) {
    if (bytes == null) {
      return 0;
    }
    deflater.setInput(bytes);
    return drained(deflater);
  }

  private static long drained(Deflater deflater) {
    byte[] out = new byte[CHUNK];
    long size = 0;
    for (int n = deflater.deflate(out); n > 0; n = deflater.deflate(out)) {
      size += n;
    }
    return size;
  }

  private static long withoutHeaders(Outgoing message) {
    byte[] key = message.key();
    byte[] body = message.body();
    return (long) BATCH_OVERHEAD
        + (key == null ? 0 : key.length)
        + (body == null ? 0 : body.length);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
