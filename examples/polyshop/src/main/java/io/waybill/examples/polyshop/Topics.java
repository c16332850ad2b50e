package io.waybill.examples.polyshop;

import java.util.List;
import java.util.Map;

/** Topics, which are named as the types of their events, and who reads them. */
final class Topics {
  static final String USER_REGISTERED = "auth.user.registered.v1";
  static final String PRODUCT_CREATED = "product.product.created.v1";
  static final String STOCK_RESERVED = "inventory.stock.reserved.v1";
  static final String ORDER_PLACED = "order.order.placed.v1";
  static final String PAYMENT_SUCCEEDED = "payment.payment.succeeded.v1";
  static final String EMAIL_SENT = "notification.email.sent.v1";

  /** All of them. */
  static final List<String> ALL =
      List.of(
          USER_REGISTERED,
          PRODUCT_CREATED,
          STOCK_RESERVED,
          ORDER_PLACED,
          PAYMENT_SUCCEEDED,
          EMAIL_SENT);

  /** The member of the data that is the key of a topic's messages. */
  static final Map<String, String> KEYS =
      Map.of(
          USER_REGISTERED, "userId",
          PRODUCT_CREATED, "productId",
          STOCK_RESERVED, "productId",
          ORDER_PLACED, "orderId",
          PAYMENT_SUCCEEDED, "paymentId",
          EMAIL_SENT, "notificationId");

  /** What each consumer reads. */
  static final Map<String, List<String>> CONSUMERS =
      Map.of(
          JavaService.INVENTORY.source(), List.of(ORDER_PLACED),
          JavaService.ANALYTICS.source(), List.of(ORDER_PLACED),
          JavaService.ORDER.source(), List.of(PAYMENT_SUCCEEDED),
          JavaService.SEARCH.source(), List.of(PRODUCT_CREATED),
          Service.PAYMENT.source(), List.of(ORDER_PLACED),
          Service.NOTIFICATION.source(), List.of(ORDER_PLACED, PAYMENT_SUCCEEDED));

  private Topics() {}

  /** Where the dead letters of a topic go. */
  static String letters(String topic) {
    return topic + ".dlt";
  }
}
