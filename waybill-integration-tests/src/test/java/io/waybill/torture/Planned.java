package io.waybill.torture;

import io.waybill.proof.oracle.Copy;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An event that a transaction writes.
 *
 * @param id event id
 * @param key number of its key
 * @param sequence number within its key, from 1
 * @param content what it carries
 */
record Planned(String id, int key, long sequence, Content content) {
  /**
   * What an event carries and every copy has to carry as well.
   *
   * @param payload bytes, or null for a tombstone
   * @param contentType media type
   * @param headers the event's own headers
   */
  record Content(byte @Nullable [] payload, String contentType, Map<String, String> headers) {}

  Copy ledgerRow() {
    return new Copy(id, name(key), sequence, hash(Integer.toString(key), content));
  }

  static String name(int key) {
    return "key-" + key;
  }

  /** Number of the key of a name. */
  static int key(String name) {
    return Integer.parseInt(name.substring(name.indexOf('-') + 1));
  }

  /** Hash over everything that has to arrive as it was written. */
  static String hash(String key, Content content) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      field(digest, key);
      field(digest, content.contentType());
      new TreeMap<>(content.headers())
          .forEach(
              (name, value) -> {
                field(digest, name);
                field(digest, value);
              });
      byte[] payload = content.payload();
      digest.update((byte) (payload == null ? 0 : 1));
      digest.update(payload == null ? new byte[0] : payload);
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void field(MessageDigest digest, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    digest.update((byte) (bytes.length >> 8));
    digest.update((byte) bytes.length);
    digest.update(bytes);
  }
}
