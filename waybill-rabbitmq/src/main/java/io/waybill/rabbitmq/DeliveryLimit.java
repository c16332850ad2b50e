package io.waybill.rabbitmq;

import com.rabbitmq.client.Connection;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * After how many failed deliveries a quorum queue drops a message, or moves it to its dead-letter
 * exchange. A delivery fails when the consumer's channel ends, when it refuses the message by
 * {@code basic.reject} and, before RabbitMQ 4.3, when it gives it back by {@code basic.nack}
 * (https://www.rabbitmq.com/docs/4.3/quorum-queues, "Poison Message Handling").
 */
final class DeliveryLimit {
  /** What quorum queues have since RabbitMQ 4.0 if nothing else is said. */
  static final int DEFAULT = 20;

  /** The argument of a queue. */
  static final String ARGUMENT = "x-delivery-limit";

  /**
   * The value of the argument that says: none. Older brokers take it and drop a message at its
   * first failure (seen on 3.10.8).
   */
  static final int NONE = -1;

  private static final Pattern NUMBERS = Pattern.compile("(\\d{1,4})\\.(\\d{1,4})\\b.*");

  private DeliveryLimit() {}

  /**
   * The version of a broker.
   *
   * @param connection an open one
   * @return for example {@code 3.10.8}
   */
  static String version(Connection connection) {
    return String.valueOf(connection.getServerProperties().get("version"));
  }

  /**
   * Whether quorum queues of a broker have a limit of their own; such brokers know {@link #NONE}.
   *
   * @param version of the broker
   * @return false before RabbitMQ 4
   */
  static boolean isDefault(String version) {
    return isFrom(version, 4, 0);
  }

  /**
   * Whether a message that is given back by {@code basic.nack} has failed once more.
   *
   * @param version of the broker
   * @return false from RabbitMQ 4.3 on
   */
  static boolean countsReturns(String version) {
    return !isFrom(version, 4, 3);
  }

  private static boolean isFrom(String version, int major, int minor) {
    Matcher numbers = NUMBERS.matcher(version);
    return numbers.matches()
        && Arrays.compare(
                new int[] {Integer.parseInt(numbers.group(1)), Integer.parseInt(numbers.group(2))},
                new int[] {major, minor})
            >= 0;
  }

  /**
   * The limit in force, of argument and policy the smaller one. Older brokers take {@link #NONE}
   * for 0. Queues of other types have no limit, whatever a policy says.
   *
   * @param queue what the management API says about it
   * @param version of the broker
   * @return as it is set, or the broker's own; empty for none
   */
  static OptionalInt of(JsonValue queue, String version) {
    if (!RabbitTopology.QueueType.QUORUM.amqp().equals(queue.at("type").text())) {
      return OptionalInt.empty();
    }
    List<Integer> set = set(queue);
    IntStream limits = set.stream().mapToInt(Integer::intValue);
    if (!isDefault(version)) {
      return limits.map(limit -> Math.max(limit, 0)).min();
    }
    return set.isEmpty() ? OptionalInt.of(DEFAULT) : limits.filter(limit -> limit >= 0).min();
  }

  /**
   * Whether somebody has set a limit, or that there is none.
   *
   * @param queue what the management API says about it
   */
  static boolean isSet(JsonValue queue) {
    return !set(queue).isEmpty();
  }

  /**
   * How to take the limit of a queue away.
   *
   * @param queue what the management API says about it
   * @param version of the broker
   */
  static String remedy(JsonValue queue, String version) {
    if (queue.at("arguments").at(ARGUMENT).text() != null) {
      return isDefault(version)
          ? "declare it again with %s %d".formatted(ARGUMENT, NONE)
          : "declare it again without " + ARGUMENT;
    }
    return isDefault(version)
        ? "set delivery-limit to %d in its policy".formatted(NONE)
        : "remove delivery-limit from its policy";
  }

  private static List<Integer> set(JsonValue queue) {
    return Stream.of(
            queue.at("arguments").at(ARGUMENT).text(),
            queue.at("effective_policy_definition").at("delivery-limit").text())
        .filter(Objects::nonNull)
        .filter(text -> text.matches("-?\\d{1,9}"))
        .map(Integer::valueOf)
        .toList();
  }
}
