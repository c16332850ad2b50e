package io.waybill.examples.services.notification;

import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.stereotype.Component;

/**
 * The four consumers. The container acknowledges a message when its method has returned, which is
 * after the commit.
 */
@Component
class NotificationListeners {
  private final NotificationOrchestrator orchestrator;

  NotificationListeners(NotificationOrchestrator orchestrator) {
    this.orchestrator = orchestrator;
  }

  @RabbitListener(id = "RestaurantNotificationListener", queues = "notification.restaurant")
  void restaurant(BusinessEvent event) {
    orchestrator.disaggregateAndProcess(Recipients.RESTAURANT, event);
  }

  @RabbitListener(id = "CustomerNotificationListener", queues = "notification.customer")
  void customer(BusinessEvent event) {
    orchestrator.disaggregateAndProcess(Recipients.CUSTOMER, event);
  }

  @RabbitListener(id = "AgencyUserNotificationListener", queues = "notification.agency")
  void agency(BusinessEvent event) {
    orchestrator.disaggregateAndProcess(Recipients.AGENCY, event);
  }

  @RabbitListener(id = "AdminNotificationListener", queues = "notification.admin")
  void admin(BusinessEvent event) {
    orchestrator.disaggregateAndProcess(Recipients.ADMIN, event);
  }
}
