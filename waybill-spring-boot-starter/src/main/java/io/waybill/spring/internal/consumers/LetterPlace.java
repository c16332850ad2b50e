package io.waybill.spring.internal.consumers;

import io.waybill.internal.encode.DeadLetter;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * How a letter is found again: by its place in a topic. A queue has no places, so there it is found
 * by a digest of what it is, like {@code orders.dlt#0a1b...}: copies of one letter have the same.
 */
final class LetterPlace {
  private static final int BYTES = 16;

  private LetterPlace() {}

  static String of(DeadLetter letter, boolean keeps) {
    return keeps ? letter.place() : letter.delivery().lane() + "#" + digest(letter);
  }

  private static String digest(DeadLetter letter) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      add(digest, letter.eventId());
      add(digest, letter.consumer());
      add(digest, letter.reason());
      add(digest, letter.failedAt());
      add(digest, Integer.toString(letter.redriven()));
      byte[] body = letter.delivery().body();
      digest.update(body == null ? new byte[0] : body);
      return HexFormat.of().formatHex(digest.digest(), 0, BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JDK has SHA-256", e);
    }
  }

  /** With an end, so that parts cannot run into each other. */
  private static void add(MessageDigest digest, @Nullable String part) {
    digest.update(String.valueOf(part).getBytes(StandardCharsets.UTF_8));
    digest.update((byte) 0);
  }
}
