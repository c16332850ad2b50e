package io.waybill.internal.relay;

import io.waybill.message.EventKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** How names, texts and numbers of resting keys are written as bytes. */
final class RestingBytes {
  private RestingBytes() {}

  static byte[] nameOf(EventKey key) {
    byte[] type = key.aggregateType().getBytes(StandardCharsets.UTF_8);
    byte[] id = key.aggregateId().getBytes(StandardCharsets.UTF_8);
    ByteBuffer name = ByteBuffer.allocate(20 + type.length + id.length);
    putBytes(name, type);
    putBytes(name, id);
    return Arrays.copyOf(name.array(), name.position());
  }

  static void putText(ByteBuffer to, String text) {
    putBytes(to, text.getBytes(StandardCharsets.UTF_8));
  }

  private static void putBytes(ByteBuffer to, byte[] bytes) {
    putNumber(to, bytes.length);
    to.put(bytes);
  }

  /** Seven bits to a byte, small negative numbers as short as positive ones. */
  static void putNumber(ByteBuffer to, long number) {
    long rest = (number << 1) ^ (number >> 63);
    while ((rest & ~0x7FL) != 0) {
      to.put((byte) (rest | 0x80));
      rest >>>= 7;
    }
    to.put((byte) rest);
  }

  static int hash(byte[] bytes, int from, int to) {
    long hash = 0xCBF29CE484222325L;
    for (int i = from; i < to; i++) {
      hash = (hash ^ bytes[i]) * 0x100000001B3L;
    }
    hash = (hash ^ (hash >>> 32)) * 0x9E3779B97F4A7C15L;
    return (int) (hash >>> 32);
  }
}
