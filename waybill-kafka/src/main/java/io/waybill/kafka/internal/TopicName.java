package io.waybill.kafka.internal;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The rules of Kafka for topic names. */
public final class TopicName {
  private static final Pattern FORM = Pattern.compile("[a-zA-Z0-9._-]{1,249}");

  private TopicName() {}

  /** What is wrong with the name; null when nothing is. */
  public static @Nullable Refusal refusal(String name) {
    if (FORM.matcher(name).matches() && !".".equals(name) && !"..".equals(name)) {
      return null;
    }
    return Refusal.rejected(
        "invalid-topic",
        "topic: must be 1 to 249 of a-z, A-Z, 0-9, '.', '_' and '-', and not '.' or '..': '"
            + shown(name)
            + "'");
  }

  private static String shown(String name) {
    String printable = name.replaceAll("\\p{Cntrl}", "?");
    return printable.length() > 300 ? printable.substring(0, 300) + "..." : printable;
  }
}
