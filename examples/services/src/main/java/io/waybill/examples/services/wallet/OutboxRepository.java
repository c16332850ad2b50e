package io.waybill.examples.services.wallet;

import java.util.List;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.query.Param;

/** The table {@code outbox}. */
public interface OutboxRepository extends JpaRepository<OutboxEvent, Long> {
  /**
   * What waits for the relay.
   *
   * @return events that no broker has confirmed
   */
  List<OutboxEvent> findBySentFalse();

  /**
   * How much waits for the relay, counted no further than a limit.
   *
   * @param most the limit
   * @return number of unsent events
   */
  @Query(
      value =
          """
          select count(*) from (select 1 from outbox where sent = false limit :most) as unsent""",
      nativeQuery = true)
  long countBySentFalse(@Param("most") int most);
}
