package io.waybill.examples.polyshop.order;

import io.waybill.handler.PermanentException;
import io.waybill.spring.WaybillHandler;
import org.springframework.context.annotation.Profile;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Orders that are paid for. */
@Component
@Profile("order")
class Payments {
  private final JdbcClient jdbc;

  Payments(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  record PaymentSucceeded(String paymentId, String orderId) {}

  /** A second payment of an order, which no inbox can know, changes nothing. */
  @WaybillHandler("payment.payment.succeeded.v1")
  void paid(PaymentSucceeded payment) {
    int known =
        jdbc.sql("update orders set status = 'PAID' where id::text = ?")
            .param(payment.orderId())
            .update();
    if (known == 0) {
      throw new PermanentException("Validation failed: order not found: " + payment.orderId());
    }
  }
}
