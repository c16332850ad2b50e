package io.waybill.spring.cloudstream;

import io.waybill.broker.Confirmation.Rejected;
import io.waybill.broker.Outgoing;
import io.waybill.message.Header;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Refuses headers that a message of Spring does not carry, or that binders act on. */
final class HeaderNames {
  private static final Set<String> ACTED_ON =
      Set.of(
          "id",
          "timestamp",
          "contenttype",
          "replychannel",
          "errorchannel",
          "partitionkey",
          "deliveryattempt",
          "sourcedata",
          "target-protocol");
  private static final List<String> PREFIXES =
      List.of("kafka_", "amqp_", "scst_", "spring.cloud.", "scf-", "lambda");

  private HeaderNames() {}

  static @Nullable Rejected refusal(Outgoing message) {
    Set<String> names = new HashSet<>();
    for (Header header : message.headers()) {
      if (!names.add(header.name())) {
        return rejected(message, "duplicate-header", header, "is there twice");
      }
      String lower = header.name().toLowerCase(Locale.ROOT);
      if (ACTED_ON.contains(lower) || PREFIXES.stream().anyMatch(lower::startsWith)) {
        return rejected(message, "reserved-header", header, "is Spring's own");
      }
    }
    return null;
  }

  private static Rejected rejected(Outgoing message, String reason, Header header, String why) {
    return new Rejected(message.sendId(), reason, "header '" + header.name() + "' " + why);
  }
}
