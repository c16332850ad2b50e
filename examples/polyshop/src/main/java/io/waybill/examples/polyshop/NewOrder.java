package io.waybill.examples.polyshop;

import java.math.BigDecimal;
import java.util.List;

/**
 * An order that a client asks for, checked.
 *
 * @param userId who orders
 * @param items at least one
 */
record NewOrder(String userId, List<Item> items) {
  NewOrder {
    items = List.copyOf(items);
  }

  /**
   * A line of an order.
   *
   * @param productId what
   * @param quantity how many
   * @param unitPrice price of one, at most two decimals
   */
  record Item(String productId, int quantity, BigDecimal unitPrice) {}

  /** What all items cost together. */
  BigDecimal totalAmount() {
    return items.stream()
        .map(item -> item.unitPrice().multiply(BigDecimal.valueOf(item.quantity())))
        .reduce(BigDecimal.ZERO, BigDecimal::add);
  }
}
