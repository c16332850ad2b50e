package io.waybill.spring.internal.api;

import io.waybill.broker.Broker;
import io.waybill.broker.ConsumableBroker;
import io.waybill.broker.DeadLetterAccessException;
import io.waybill.message.Transport;
import io.waybill.spring.WaybillStartException;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The broker of an outbox. Few ask it at a time: one that is away leaves room for those who ask the
 * database alone. Thread-safe.
 */
final class BrokerAccess {
  private static final int AT_A_TIME = 2;

  private final Supplier<Broker> broker;
  private final Semaphore room = new Semaphore(AT_A_TIME);

  BrokerAccess(Supplier<Broker> broker) {
    this.broker = broker;
  }

  /** Its kind, if the configuration says where it is. */
  Optional<Transport> transport() {
    try {
      return Optional.of(broker.get().transport());
    } catch (WaybillStartException e) {
      return Optional.empty();
    }
  }

  private Broker configured() {
    try {
      return broker.get();
    } catch (WaybillStartException e) {
      throw ApiProblem.conflict(String.valueOf(e.getMessage()));
    }
  }

  <T> T ask(Function<ConsumableBroker, T> question) {
    if (!(configured() instanceof ConsumableBroker consumable)) {
      throw ApiProblem.conflict("The broker of this outbox gives no messages, it takes them alone");
    }
    if (!room.tryAcquire()) {
      throw ApiProblem.busy();
    }
    try {
      return question.apply(consumable);
    } catch (DeadLetterAccessException e) {
      throw e.isMissing()
          ? ApiProblem.missing(String.valueOf(e.getMessage()))
          : ApiProblem.broker(String.valueOf(e.getMessage()));
    } finally {
      room.release();
    }
  }
}
