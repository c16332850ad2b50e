package io.waybill.examples.polyglot;

import io.waybill.handler.PermanentException;
import io.waybill.message.Payload;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What {@code order.order.placed.v1} says.
 *
 * @param orderId the order
 * @param items its lines
 * @param totalAmount what it costs; 0 if the event does not say
 */
record PlacedOrder(String orderId, List<Item> items, double totalAmount) {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /**
   * A line of an order.
   *
   * @param productId what
   * @param quantity how many
   */
  record Item(String productId, int quantity) {
    private static Item read(JsonNode item) {
      String productId = item.path("productId").asString("");
      int quantity = item.path("quantity").asInt(0);
      if (quantity < 1) {
        throw new PermanentException(
            "Validation failed: quantity must be at least 1, but is "
                + quantity
                + ": "
                + productId);
      }
      return new Item(productId, quantity);
    }
  }

  /**
   * Reads the data of the event.
   *
   * @throws PermanentException if there is no order in it, or a line that takes nothing
   */
  static PlacedOrder read(Payload payload) {
    JsonNode data = JSON.readTree(payload.bytes());
    String orderId = data.path("orderId").asString("");
    if (orderId.isEmpty()) {
      throw new PermanentException("Validation failed: orderId must be given");
    }
    List<Item> items = data.path("items").valueStream().map(Item::read).toList();
    return new PlacedOrder(orderId, items, data.path("totalAmount").asDouble(0));
  }
}
