package io.waybill.spring.jpa;

import io.waybill.spring.WaybillEvent;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import jakarta.persistence.PostPersist;
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

  /** Tells of itself when Hibernate writes it, which is at the commit. */
  @Entity(name = "Gift")
  static class Gift {
    static ApplicationEventPublisher events;

    @Id String id;

    Gift() {}

    Gift(String id) {
      this.id = id;
    }

    @PostPersist
    void tell() {
      events.publishEvent(new Purchased(id));
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

    @Transactional
    public void give(String id) {
      Gift.events = events;
      entities.persist(new Gift(id));
    }

    @Transactional(readOnly = true)
    public void look(String id) {
      events.publishEvent(new Purchased(id));
    }
  }
}
