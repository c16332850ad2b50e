package io.waybill.route;

import io.waybill.internal.text.Quoted;
import io.waybill.message.Destination;
import io.waybill.message.Transport;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The destinations that a broker accepts. Checked before a send, since a bad destination would cost
 * a connection.
 */
public final class TransportRules {
  private static final int MAX_TOPIC_LENGTH = 249;
  private static final int MAX_SHORT_STRING_BYTES = 255;

  private TransportRules() {}

  /**
   * Checks a destination.
   *
   * @param transport kind of broker
   * @param destination the destination
   * @return one line with part, rule and value, or null if the destination is valid
   */
  public static @Nullable String violation(Transport transport, Destination destination) {
    return switch (transport) {
      case KAFKA -> kafka(destination);
      case RABBITMQ -> rabbitmq(destination);
    };
  }

  private static @Nullable String kafka(Destination destination) {
    String topic = destination.target();
    if (!isTopic(topic)) {
      return "topic must be 1 to 249 of A-Z a-z 0-9 . _ - and neither . nor .., is "
          + Quoted.of(topic);
    }
    if (!destination.routingKey().isEmpty()) {
      return "routing key must be empty on Kafka, is " + Quoted.of(destination.routingKey());
    }
    Integer partition = destination.partition();
    return partition != null && partition < 0
        ? "partition must be 0 or more, is " + partition
        : null;
  }

  private static @Nullable String rabbitmq(Destination destination) {
    if (destination.partition() != null) {
      return "partition must not be set on RabbitMQ, is " + destination.partition();
    }
    if (destination.target().isEmpty() && destination.routingKey().isEmpty()) {
      return "routing key must not be empty on the default exchange, is \"\"";
    }
    String exchange = shortString("exchange", destination.target());
    return exchange != null ? exchange : shortString("routing key", destination.routingKey());
  }

  private static boolean isTopic(String topic) {
    if (topic.isEmpty() || topic.length() > MAX_TOPIC_LENGTH) {
      return false;
    }
    for (int i = 0; i < topic.length(); i++) {
      if (!isTopicCharacter(topic.charAt(i))) {
        return false;
      }
    }
    return !topic.equals(".") && !topic.equals("..");
  }

  private static boolean isTopicCharacter(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '.'
        || c == '_'
        || c == '-';
  }

  private static @Nullable String shortString(String part, String text) {
    // Three bytes are the most that one char takes in UTF-8.
    boolean tooLong =
        text.length() * 3 > MAX_SHORT_STRING_BYTES
            && text.getBytes(StandardCharsets.UTF_8).length > MAX_SHORT_STRING_BYTES;
    if (tooLong) {
      return part + " must be at most 255 bytes, is " + Quoted.of(text);
    }
    boolean printable =
        text.codePoints().noneMatch(c -> Character.isISOControl(c) || isLoneSurrogate(c));
    return printable
        ? null
        : part + " must have no control characters or lone surrogates, is " + Quoted.of(text);
  }

  private static boolean isLoneSurrogate(int codePoint) {
    return codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
  }
}
