package io.waybill.proof.proxy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** What the text of a statement shows. */
final class SqlText {
  private static final Pattern COMMIT =
      Pattern.compile("\\s*commit(\\s+work)?\\s*;?\\s*", Pattern.CASE_INSENSITIVE);
  private static final Pattern WRITE =
      Pattern.compile(
          "\\b(insert\\s+into|delete\\s+from|merge\\s+into"
              + "|update\\s+[\\w.\"`]+(\\s+(as\\s+)?\\w+)?\\s+set)\\b",
          Pattern.CASE_INSENSITIVE);

  private SqlText() {}

  static boolean isCommit(String sql) {
    return COMMIT.matcher(sql).matches();
  }

  static boolean writes(String sql) {
    return WRITE.matcher(sql).find();
  }

  /** The bytes from an offset to a limit, both counted from the buffer's position. */
  static String text(ByteBuffer bytes, int from, long to) {
    int end = (int) Math.min(to, bytes.remaining());
    if (end <= from) {
      return "";
    }
    byte[] copy = new byte[end - from];
    bytes.get(bytes.position() + from, copy);
    return new String(copy, StandardCharsets.UTF_8);
  }

  /** The bytes from an offset to the next zero, or to a limit. */
  static String zeroEnded(ByteBuffer bytes, int from, long to) {
    int end = from;
    long limit = Math.min(to, bytes.remaining());
    while (end < limit && bytes.get(bytes.position() + end) != 0) {
      end++;
    }
    return text(bytes, from, end);
  }
}
