package io.waybill.examples.first;

import io.waybill.spring.WaybillEvent;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.transaction.support.TransactionTemplate;

// quote:shop
@SpringBootApplication
class Shop {
  @WaybillEvent(type = "order.placed", aggregateType = "order", aggregateId = "id")
  record OrderPlaced(String id, int cents) {}

  @Bean
  ApplicationRunner placeAnOrder(
      ApplicationEventPublisher events, TransactionTemplate transaction) {
    return arguments ->
        transaction.executeWithoutResult(
            status -> events.publishEvent(new OrderPlaced("42", 1999)));
  }
}
// quote:end
