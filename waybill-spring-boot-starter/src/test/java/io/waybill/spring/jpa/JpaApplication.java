package io.waybill.spring.jpa;

import io.waybill.spring.WaybillEvent;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@SpringBootApplication
class JpaApplication {
  @Entity(name = "Purchase")
  static class Purchase {
    @Id String id;

    Purchase() {}

    Purchase(String id) {
      this.id = id;
    }
  }

  @WaybillEvent(aggregateType = "purchase", aggregateId = "id")
  record Purchased(String id) {}

  @Service
  static class Purchases {
    private final EntityManager entities;
    private final ApplicationEventPublisher events;

    Purchases(EntityManager entities, ApplicationEventPublisher events) {
      this.entities = entities;
      this.events = events;
    }

    @Transactional
    public void buy(String id, boolean fail) {
      entities.persist(new Purchase(id));
      events.publishEvent(new Purchased(id));
      if (fail) {
        throw new IllegalStateException("business");
      }
    }

    @Transactional(readOnly = true)
    public void look(String id) {
      events.publishEvent(new Purchased(id));
    }
  }
}
