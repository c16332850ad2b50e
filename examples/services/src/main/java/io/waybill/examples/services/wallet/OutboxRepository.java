package io.waybill.examples.services.wallet;

import java.util.List;
import org.springframework.data.jpa.repository.JpaRepository;

/** The table {@code outbox}. */
public interface OutboxRepository extends JpaRepository<OutboxEvent, Long> {
  /**
   * What waits for the relay.
   *
   * @return events that no broker has confirmed
   */
  List<OutboxEvent> findBySentFalse();
}
