package io.waybill.examples.polyglot;

import io.waybill.examples.polyglot.FlowResult.Check;
import io.waybill.proof.oracle.KafkaMessage;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Compares the orders with what every service made of them. */
final class FlowAudit {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Set<String> CONSUMERS =
      Set.of(
          Service.PAYMENT.source(), Service.NOTIFICATION.source(), Inventory.NAME, Analytics.NAME);
  private static final Set<String> MEMBERS =
      Set.of("eventId", "originalEvent", "errorMessage", "failedAt", "consumerService");

  private final Rows rows;

  FlowAudit(Rows rows) {
    this.rows = rows;
  }

  /**
   * All comparisons.
   *
   * @param orders database of the order service
   * @param poison the event that nobody can handle
   * @param letters what is in the dead-letter topics
   */
  List<Check> checks(String orders, KafkaMessage poison, List<KafkaMessage> letters)
      throws SQLException {
    Map<String, Long> once = rows.of(orders, "select id::text, 1 from orders");
    Map<String, Long> pieces =
        rows.of(orders, "select product_id, sum(quantity) from order_items group by 1");
    List<Check> checks = new ArrayList<>();
    checks.add(
        new Check(
            "payment-service (Node.js): each of " + once.size() + " orders paid once",
            once,
            rows.of(
                Service.PAYMENT.database(),
                "select order_id, count(*) from payments where status = 'SUCCESS' group by 1")));
    checks.add(
        new Check(
            "inventory-service (Java): stock taken once for each line of each order",
            pieces,
            rows.of(
                Inventory.consumer().database(),
                "select product_id, 1000000 - quantity from stock")));
    checks.add(
        new Check(
            "analytics-service (Java): each piece counted once",
            pieces,
            rows.of(Analytics.consumer().database(), "select product_id, pieces from sales")));
    checks.addAll(mails(once));
    checks.addAll(letters(poison, letters));
    return checks;
  }

  private List<Check> mails(Map<String, Long> once) throws SQLException {
    Map<String, Long> twice = new TreeMap<>();
    once.keySet().forEach(order -> twice.put(order, 2L));
    String database = Service.NOTIFICATION.database();
    return List.of(
        new Check(
            "notification-service (Python): one confirmation and one receipt for each order",
            twice,
            rows.of(database, "select order_id, count(*) from emails group by 1")),
        new Check(
            "mail server: no mail twice, none missing",
            Map.of("mails", 2L * once.size()),
            rows.of(database, "select 'mails', count(*) from mail_server")));
  }

  private static List<Check> letters(KafkaMessage poison, List<KafkaMessage> letters) {
    List<JsonNode> bodies = letters.stream().map(letter -> JSON.readTree(letter.value())).toList();
    return List.of(
        new Check(
            "dead letters: the poison event once from each consumer, and nothing else",
            new TreeSet<>(CONSUMERS).toString(),
            bodies.stream()
                .map(body -> body.path("consumerService").asString(""))
                .sorted()
                .toList()
                .toString()),
        new Check(
            "dead letters: the same members whatever the language, the original as it was",
            Set.of(List.of(MEMBERS, JSON.readTree(poison.value()))),
            bodies.stream()
                .map(body -> List.of(Set.copyOf(body.propertyNames()), body.path("originalEvent")))
                .collect(Collectors.toSet())),
        new Check(
            "dead letters: the same headers whatever the language",
            Set.of(Set.of("tenant=acme", "waybill-dead-reason=permanent-failure")),
            letters.stream().map(FlowAudit::told).collect(Collectors.toSet())),
        new Check(
            "dead letters: dead-letters redrive finds the original, byte for byte",
            Set.of(poison.value()),
            letters.stream().map(KafkaMessage::original).collect(Collectors.toSet())));
  }

  private static Set<String> told(KafkaMessage letter) {
    return letter.headers().entrySet().stream()
        .filter(header -> Set.of("tenant", "waybill-dead-reason").contains(header.getKey()))
        .map(header -> header.getKey() + "=" + header.getValue())
        .collect(Collectors.toSet());
  }
}
