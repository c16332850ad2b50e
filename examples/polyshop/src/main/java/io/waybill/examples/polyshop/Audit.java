package io.waybill.examples.polyshop;

import io.waybill.examples.polyshop.Result.Check;
import io.waybill.proof.oracle.KafkaMessage;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Compares the orders with what every service made of them. */
final class Audit {
  /** Who cannot handle the poison event, and what its letter says then. */
  static final Map<String, String> POISONED =
      Map.of(
          Service.PAYMENT.source(),
          "Validation failed: totalAmount must be a number from 0.01",
          Service.NOTIFICATION.source(),
          "Validation failed: metadata.userId must be given",
          JavaService.INVENTORY.source(),
          "Validation failed: product not found: unicorn",
          JavaService.ANALYTICS.source(),
          "Validation failed: totalAmount must be more than 0");

  /** Databases with an outbox whose events are published. */
  static final List<String> PRODUCERS =
      List.of(
          Shop.database(JavaService.AUTH),
          Shop.database(JavaService.PRODUCT),
          Shop.database(JavaService.INVENTORY),
          Shop.database(JavaService.ORDER),
          Service.PAYMENT.database(),
          Service.NOTIFICATION.database());

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final Set<String> MEMBERS =
      Set.of("eventId", "originalEvent", "errorMessage", "failedAt", "consumerService");

  private final Rows rows;
  private final List<KafkaMessage> events;
  private final KafkaMessage poison;
  private final List<KafkaMessage> letters;

  /**
   * Looks at the end of a run.
   *
   * @param events all messages of all topics, before copies of them were sent
   * @param poison the event that nobody can handle
   * @param letters what is in the dead-letter topics
   */
  Audit(Rows rows, List<KafkaMessage> events, KafkaMessage poison, List<KafkaMessage> letters) {
    this.rows = rows;
    this.events = events;
    this.poison = poison;
    this.letters = letters;
  }

  /** All comparisons. */
  List<Check> checks() throws SQLException {
    List<Check> checks = new ArrayList<>(effects());
    checks.addAll(onTheWire());
    checks.addAll(poison());
    return checks;
  }

  /** The trace of each order. */
  List<String> traceIds() {
    return events.stream()
        .filter(event -> event.topic().equals(Topics.ORDER_PLACED))
        .map(event -> JSON.readTree(event.value()).at("/metadata/traceId").asString(""))
        .distinct()
        .toList();
  }

  private List<Check> effects() throws SQLException {
    String orders = Shop.database(JavaService.ORDER);
    Map<String, Long> once = rows.of(orders, "select id::text, 1 from orders");
    Map<String, Long> twice = new TreeMap<>();
    once.keySet().forEach(order -> twice.put(order, 2L));
    Map<String, Long> pieces =
        rows.of(orders, "select product_id, sum(quantity) from order_items group by 1");
    String mails = Service.NOTIFICATION.database();
    return List.of(
        new Check(
            "payment-service (Node.js): each of " + once.size() + " orders paid once",
            once,
            rows.of(
                Service.PAYMENT.database(),
                "select order_id, count(*) from payments where status = 'SUCCESS' group by 1")),
        new Check(
            "order-service (Java): each order is PAID",
            once,
            rows.of(orders, "select id::text, 1 from orders where status = 'PAID'")),
        new Check(
            "inventory-service (Java): stock taken once for each line of each order",
            pieces,
            rows.of(
                Shop.database(JavaService.INVENTORY),
                "select product_id, 1000000 - quantity from stock")),
        new Check(
            "analytics-service (Java): each piece counted once",
            pieces,
            rows.of(Shop.database(JavaService.ANALYTICS), "select product_id, pieces from sales")),
        new Check(
            "search-service (Java): each word of each title indexed once",
            Map.of("a book", 2L, "a pen", 2L, "good pen", 1L, "good book", 1L),
            rows.of(
                Shop.database(JavaService.SEARCH),
                """
                select word || ' ' || product_id, times from words where word in ('a', 'good')""")),
        new Check(
            "notification-service (Python): one confirmation and one receipt for each order",
            twice,
            rows.of(mails, "select order_id, count(*) from emails group by 1")),
        new Check(
            "mail server: no mail twice, none missing",
            Map.of("mails", 2L * once.size()),
            rows.of(mails, "select 'mails', count(*) from mail_server")));
  }

  private List<Check> onTheWire() throws SQLException {
    Map<String, Long> written = new TreeMap<>();
    for (String database : PRODUCERS) {
      written.putAll(rows.of(database, "select id::text, 1 from outbox_events"));
    }
    Map<String, Long> published = new TreeMap<>();
    Map<String, Set<String>> wrongKeys = new TreeMap<>();
    Map<String, Set<String>> traces = new HashMap<>();
    Map<String, Set<String>> correlations = new HashMap<>();
    for (KafkaMessage event : events) {
      JsonNode envelope = JSON.readTree(event.value());
      published.put(envelope.path("eventId").asString(""), 1L);
      String member = Objects.requireNonNull(Topics.KEYS.get(event.topic()));
      if (!envelope.path("data").path(member).asString("").equals(event.key())) {
        wrongKeys.computeIfAbsent(event.topic(), topic -> new TreeSet<>()).add(event.value());
      }
      String order = envelope.at("/data/orderId").asString("");
      if (!order.isEmpty()) {
        add(traces, order, envelope.at("/metadata/traceId").asString(""));
        add(correlations, order, envelope.at("/metadata/correlationId").asString(""));
      }
    }
    return List.of(
        new Check("Kafka: each event of each outbox, and no other", written, published),
        new Check(
            "Kafka: keyed by user, product, order, payment, notification", Map.of(), wrongKeys),
        new Check("Kafka: the events of a product in the order of its stock", ordered(), arrived()),
        new Check("envelopes: one trace for each order", Set.of(1), sizes(traces)),
        new Check("envelopes: one correlation for each order", Set.of(1), sizes(correlations)));
  }

  private static void add(Map<String, Set<String>> all, String order, String value) {
    all.computeIfAbsent(order, known -> new HashSet<>()).add(value);
  }

  private static Set<Integer> sizes(Map<String, Set<String>> values) {
    Set<Integer> sizes = new HashSet<>();
    values
        .values()
        .forEach(each -> sizes.add(each.contains("") || each.isEmpty() ? 0 : each.size()));
    return sizes;
  }

  /** Ids of the events of each product, as its stock was taken. */
  private Map<String, List<String>> ordered() throws SQLException {
    Map<String, List<String>> ordered = new TreeMap<>();
    for (String product : List.of("book", "pen")) {
      ordered.put(
          product,
          rows.texts(
              Shop.database(JavaService.INVENTORY),
              """
              select id::text from outbox_events where aggregate_id = '%s'
              order by created_at, id"""
                  .formatted(product)));
    }
    return ordered;
  }

  /** The same, as it arrived; a killed relay may have sent some twice. */
  private Map<String, List<String>> arrived() {
    Map<String, List<String>> arrived = new TreeMap<>();
    for (KafkaMessage event : events) {
      if (event.topic().equals(Topics.STOCK_RESERVED)) {
        String id = JSON.readTree(event.value()).path("eventId").asString("");
        List<String> known =
            arrived.computeIfAbsent(String.valueOf(event.key()), key -> new ArrayList<>());
        if (!known.contains(id)) {
          known.add(id);
        }
      }
    }
    return arrived;
  }

  private List<Check> poison() {
    List<JsonNode> bodies = letters.stream().map(letter -> JSON.readTree(letter.value())).toList();
    Map<String, String> said = new HashMap<>();
    Set<List<Object>> members = new HashSet<>();
    for (JsonNode body : bodies) {
      String consumer = body.path("consumerService").asString("");
      String message = body.path("errorMessage").asString("");
      said.merge(consumer, message, (one, other) -> one + " and " + other);
      members.add(List.of(Set.copyOf(body.propertyNames()), body.path("originalEvent")));
    }
    Set<Set<String>> headers = new HashSet<>();
    Set<String> originals = new HashSet<>();
    for (KafkaMessage letter : letters) {
      headers.add(told(letter));
      originals.add(letter.original());
    }
    return List.of(
        new Check(
            "dead letters: the poison event once from each consumer, with its message",
            POISONED,
            said),
        new Check(
            "dead letters: the same members whatever the language, the original as it was",
            Set.of(List.of(MEMBERS, JSON.readTree(poison.value()))),
            members),
        new Check(
            "dead letters: the same headers whatever the language",
            Set.of(Set.of("tenant=acme", "waybill-dead-reason=permanent-failure")),
            headers),
        new Check(
            "dead letters: dead-letters redrive finds the original, byte for byte",
            Set.of(poison.value()),
            originals));
  }

  private static Set<String> told(KafkaMessage letter) {
    Set<String> told = new HashSet<>();
    letter
        .headers()
        .forEach(
            (name, value) -> {
              if (Set.of("tenant", "waybill-dead-reason").contains(name)) {
                told.add(name + "=" + value);
              }
            });
    return told;
  }
}
