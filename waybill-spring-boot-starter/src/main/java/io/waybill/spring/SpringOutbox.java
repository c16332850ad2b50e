package io.waybill.spring;

import io.micrometer.observation.ObservationRegistry;
import io.waybill.message.Event;
import io.waybill.outbox.Outbox;
import io.waybill.spring.observation.AppendObservationConvention;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Writes events in the running Spring transaction: they are published if and only if it commits.
 * Thread-safe.
 *
 * <pre>{@code
 * @Transactional
 * void place(Order order) {
 *   orders.save(order);
 *   outbox.append(Event.builder("order.placed", "order", order.id()).json(text).build());
 * }
 * }</pre>
 */
public interface SpringOutbox {
  /**
   * Appends one event.
   *
   * @param event the event
   * @throws org.springframework.transaction.IllegalTransactionStateException if there is no
   *     transaction, it is read-only, over already, or one of another data source
   * @throws io.waybill.message.InvalidEventException if the event breaks limits; nothing was sent
   *     to the database
   * @throws io.waybill.outbox.DuplicateEventException if the outbox has an event of its id
   * @throws org.springframework.dao.DataAccessException if the database reports another error
   */
  default void append(Event event) {
    append(List.of(event));
  }

  /**
   * Appends events in their order, all or none of them.
   *
   * @param events the events; none does nothing
   * @throws org.springframework.transaction.IllegalTransactionStateException as for one event
   * @throws io.waybill.message.InvalidEventException as for one event
   * @throws io.waybill.outbox.DuplicateEventException if two have the same id, or the outbox has
   *     one of them
   * @throws org.springframework.dao.DataAccessException if the database reports another error
   */
  void append(List<Event> events);

  /**
   * An outbox in the transactions of a data source.
   *
   * @param source data source of the transactions, as the transaction manager knows it
   * @param outbox writes the events, and learns of commits
   * @param traces trace context of the caller, for events that name no other trace
   * @return the outbox
   */
  static SpringOutbox joining(DataSource source, Outbox outbox, CurrentTraceContext traces) {
    return new TransactionOutbox(source, outbox, traces);
  }

  /**
   * An outbox that observes its calls as {@link
   * io.waybill.spring.observation.WaybillObservation#APPEND}, children of the current observation;
   * it does not observe calls without events. With Micrometer Tracing each observation is a span,
   * which is current when the outbox reads the trace context of its events.
   *
   * @param outbox writes the events
   * @param registry where observations go; while it has no handlers nothing is observed
   * @param convention names and keys, or null for the default ones
   * @return the outbox
   */
  static SpringOutbox observed(
      SpringOutbox outbox,
      ObservationRegistry registry,
      @Nullable AppendObservationConvention convention) {
    return registry == ObservationRegistry.NOOP
        ? outbox
        : new ObservedOutbox(outbox, registry, convention);
  }
}
