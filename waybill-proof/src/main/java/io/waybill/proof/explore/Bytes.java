package io.waybill.proof.explore;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A growing array of bytes, and what it is compared by. */
final class Bytes {
  private byte[] bytes = new byte[256];
  private int size;

  void put(int value) {
    if (size == bytes.length) {
      bytes = Arrays.copyOf(bytes, 2 * size);
    }
    bytes[size++] = (byte) value;
  }

  void number(long value) {
    long rest = value;
    while (rest < -64 || rest > 63) {
      put((int) (rest & 0x7F) | 0x80);
      rest >>= 7;
    }
    put((int) (rest & 0x7F));
  }

  void text(String text) {
    byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
    number(encoded.length);
    for (byte b : encoded) {
      put(b);
    }
  }

  void bytes(byte[] more) {
    for (byte b : more) {
      put(b);
    }
  }

  Image image() {
    return new Image(Arrays.copyOf(bytes, size));
  }

  /** What was written; equal if every byte is. */
  static final class Image {
    private final byte[] bytes;
    private final int hash;

    Image(byte[] bytes) {
      this.bytes = bytes;
      this.hash = Arrays.hashCode(bytes);
    }

    byte[] bytes() {
      return bytes;
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Image image && Arrays.equals(bytes, image.bytes);
    }
  }
}
