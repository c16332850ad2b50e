package io.waybill.examples.polyshop;

import io.waybill.message.EventIds;
import java.util.UUID;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Makes events of entities; their payload is the data alone, without envelope. Thread-safe. */
final class DomainEventFactory {
  /** Type and topic of placed orders. */
  static final String ORDER_PLACED = "order.order.placed.v1";

  private final JsonMapper json = JsonMapper.builder().build();

  /** An order was placed. */
  OutboxEvent orderPlaced(UUID orderId, NewOrder order) {
    ObjectNode data = json.createObjectNode();
    data.put("orderId", orderId.toString());
    data.put("userId", order.userId());
    ArrayNode items = data.putArray("items");
    for (NewOrder.Item item : order.items()) {
      items
          .addObject()
          .put("productId", item.productId())
          .put("quantity", item.quantity())
          .put("unitPrice", item.unitPrice());
    }
    data.put("totalAmount", order.totalAmount());
    // Ids of version 7 grow with time, which keeps the primary key's index small.
    UUID eventId = UUID.fromString(EventIds.system().next());
    return OutboxEvent.of(
        eventId, orderId.toString(), ORDER_PLACED, 1, json.writeValueAsString(data));
  }
}
