package io.waybill.internal.jdbc.inbox;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What stands for an event id in a column that does not take or tell apart all ids: the id itself
 * where it is safe, else its digest in the form of a UUID.
 *
 * @param uuids whether the column is a UUID
 * @param folds whether the column takes texts for the same that differ in case or trailing blanks
 * @param length most characters, 0 for no limit
 */
public record EventNames(boolean uuids, boolean folds, long length) {
  /** Characters of a name that is a digest. */
  static final int DIGEST_LENGTH = 36;

  private static final Pattern UUID =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
  private static final Pattern FOLDED = Pattern.compile(".*[A-Z].*|.* ");
  private static final int DIGEST_BYTES = 16;

  public String of(String eventId) {
    return isSafe(eventId) ? eventId : uuid(digest(eventId.getBytes(StandardCharsets.UTF_8), null));
  }

  private boolean isSafe(String eventId) {
    if (uuids) {
      return UUID.matcher(eventId).matches();
    }
    return (length == 0 || eventId.length() <= length)
        && !(folds && FOLDED.matcher(eventId).matches());
  }

  private static String uuid(String hex) {
    return hex.substring(0, 8)
        + "-"
        + hex.substring(8, 12)
        + "-"
        + hex.substring(12, 16)
        + "-"
        + hex.substring(16, 20)
        + "-"
        + hex.substring(20);
  }

  /** What events of one source and key have in common; null without a key. */
  static @Nullable String orderKey(String source, byte @Nullable [] key) {
    return key == null ? null : digest(source.getBytes(StandardCharsets.UTF_8), key);
  }

  private static String digest(byte[] first, byte @Nullable [] second) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(first);
      if (second != null) {
        // No source has this byte: parts can't run into each other.
        digest.update((byte) 0);
        digest.update(second);
      }
      return HexFormat.of().formatHex(digest.digest(), 0, DIGEST_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JDK has SHA-256", e);
    }
  }
}
