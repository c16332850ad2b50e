package io.waybill.examples.polyshop;

import io.waybill.examples.polyshop.NewOrder.Item;
import io.waybill.message.Violation;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads orders from JSON and collects every broken rule. Thread-safe. */
final class OrderParser {
  private static final int MOST_CHARACTERS = 100;
  private static final int MOST_ITEMS = 100;
  private static final int MOST_PIECES = 1_000;
  private static final BigDecimal HIGHEST_PRICE = new BigDecimal("99999.99");
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  private OrderParser() {}

  /**
   * Reads an order.
   *
   * @throws BadRequestException with all broken rules
   */
  static NewOrder parse(String body) {
    JsonNode root = tree(body);
    if (!root.isObject()) {
      throw new BadRequestException(List.of(new Violation("body", "must be a JSON object", body)));
    }
    return new Reading().order(root);
  }

  private static JsonNode tree(String body) {
    try {
      return JSON.readTree(body);
    } catch (JacksonException e) {
      throw new BadRequestException(List.of(new Violation("body", "must be JSON", body)));
    }
  }

  /** One order being read. */
  private static final class Reading {
    private final List<Violation> violations = new ArrayList<>();

    NewOrder order(JsonNode root) {
      String userId = text("userId", root.get("userId"));
      List<Item> items = items(root.get("items"));
      if (!violations.isEmpty()) {
        throw new BadRequestException(violations);
      }
      return new NewOrder(userId, items);
    }

    private List<Item> items(@Nullable JsonNode node) {
      if (node == null || !node.isArray() || node.isEmpty() || node.size() > MOST_ITEMS) {
        refuse("items", "must be an array of 1 to " + MOST_ITEMS + " items", node);
        return List.of();
      }
      List<Item> items = new ArrayList<>();
      for (int i = 0; i < node.size(); i++) {
        items.add(item("items[" + i + "]", node.get(i)));
      }
      return items;
    }

    private Item item(String field, JsonNode node) {
      if (!node.isObject()) {
        refuse(field, "must be a JSON object", node);
        return new Item("", 0, BigDecimal.ZERO);
      }
      return new Item(
          text(field + ".productId", node.get("productId")),
          quantity(field + ".quantity", node.get("quantity")),
          price(field + ".unitPrice", node.get("unitPrice")));
    }

    private String text(String field, @Nullable JsonNode node) {
      if (node == null
          || !node.isString()
          || node.stringValue().isBlank()
          || node.stringValue().length() > MOST_CHARACTERS) {
        refuse(field, "must be a text of 1 to " + MOST_CHARACTERS + " characters", node);
        return "";
      }
      if (node.stringValue().chars().anyMatch(Character::isISOControl)) {
        refuse(field, "must have no control characters", node);
      }
      return node.stringValue();
    }

    private int quantity(String field, @Nullable JsonNode node) {
      if (node == null || !node.isInt() || node.intValue() < 1 || node.intValue() > MOST_PIECES) {
        refuse(field, "must be a whole number from 1 to " + MOST_PIECES, node);
        return 0;
      }
      return node.intValue();
    }

    private BigDecimal price(String field, @Nullable JsonNode node) {
      // The exponent is looked at first: 1e999999999 as a plain number would fill the memory.
      if (node == null
          || !node.isNumber()
          || node.decimalValue().scale() > 2
          || node.decimalValue().signum() <= 0
          || node.decimalValue().compareTo(HIGHEST_PRICE) > 0) {
        refuse(field, "must be a number from 0.01 to " + HIGHEST_PRICE + ", two decimals", node);
        return BigDecimal.ZERO;
      }
      return node.decimalValue();
    }

    private void refuse(String field, String rule, @Nullable JsonNode node) {
      String value = node == null ? null : node.toString();
      violations.add(new Violation(field, rule, value));
    }
  }
}
