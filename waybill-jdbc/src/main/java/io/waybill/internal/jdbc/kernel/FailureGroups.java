package io.waybill.internal.jdbc.kernel;

import io.waybill.store.FailedRow;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Tells failures apart by what they have in common. */
public final class FailureGroups {
  private static final int BYTES = 16;

  private FailureGroups() {}

  /**
   * Of the failures of one event type at one destination for one reason.
   *
   * @return hexadecimal digits; null if nothing has failed
   */
  public static @Nullable String of(FailedRow failed) {
    String destination = failed.destination();
    if (destination == null) {
      return null;
    }
    // No part has this character: parts can't run into each other.
    String group = String.join("\0", failed.row().eventType(), destination, failed.reason());
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(group.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JDK has SHA-256", e);
    }
  }
}
