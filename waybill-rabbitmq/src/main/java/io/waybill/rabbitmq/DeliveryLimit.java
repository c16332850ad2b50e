package io.waybill.rabbitmq;

import com.rabbitmq.client.Connection;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** After how many deliveries a queue drops or moves a message, whatever became of it. */
final class DeliveryLimit {
  /** What quorum queues of newer brokers have if nothing else is said. */
  static final int DEFAULT = 20;

  /** The argument of a queue. */
  static final String ARGUMENT = "x-delivery-limit";

  /**
   * The value of the argument that says: none. Older brokers take it and drop at the first look.
   */
  static final int NONE = -1;

  private static final int FIRST_WITH_DEFAULT = 4;

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
    String first = version.replaceFirst("\\..*", "");
    return first.matches("\\d{1,4}") && Integer.parseInt(first) >= FIRST_WITH_DEFAULT;
  }

  /**
   * The limit in force, of argument and policy the smaller one. What older brokers are told as
   * {@link #NONE} they take for a limit that the first look passes.
   *
   * @param queue what the management API says about it
   * @param version of the broker
   * @return as it is set, or the broker's own; empty for none
   */
  static OptionalInt of(JsonValue queue, String version) {
    List<Integer> set =
        Stream.of(
                queue.at("arguments").at(ARGUMENT).text(),
                queue.at("effective_policy_definition").at("delivery-limit").text())
            .filter(Objects::nonNull)
            .filter(text -> text.matches("-?\\d{1,9}"))
            .map(Integer::valueOf)
            .toList();
    IntStream limits = set.stream().mapToInt(Integer::intValue);
    if (!isDefault(version)) {
      return limits.map(limit -> Math.max(limit, 0)).min();
    }
    return set.isEmpty() && "quorum".equals(queue.at("type").text())
        ? OptionalInt.of(DEFAULT)
        : limits.filter(limit -> limit >= 0).min();
  }
}
