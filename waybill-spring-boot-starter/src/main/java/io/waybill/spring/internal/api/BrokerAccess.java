package io.waybill.spring.internal.api;

import io.waybill.broker.Broker;
import io.waybill.broker.ConsumableBroker;
import io.waybill.broker.DeadLetterAccessException;
import io.waybill.message.Destination;
import io.waybill.message.Transport;
import io.waybill.spring.WaybillStartException;
import io.waybill.spring.internal.destination.RoutedNames;
import java.util.List;
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
  private final Supplier<List<Destination>> destinations;
  private final Semaphore room = new Semaphore(AT_A_TIME);

  /**
   * Connects to nothing.
   *
   * @param broker as the configuration has it now
   * @param destinations those of the routes
   */
  BrokerAccess(Supplier<Broker> broker, Supplier<List<Destination>> destinations) {
    this.broker = broker;
    this.destinations = destinations;
  }

  /** Its kind, if the configuration says where it is. */
  Optional<Transport> transport() {
    try {
      return Optional.of(broker.get().transport());
    } catch (WaybillStartException e) {
      return Optional.empty();
    }
  }

  /** The destinations of the routes. */
  RoutedNames routed() {
    return new RoutedNames(configured(destinations));
  }

  /**
   * Names of those destinations, with fields of templates in braces; none if there are no routes.
   */
  List<String> templates() {
    try {
      return new RoutedNames(destinations.get()).templates();
    } catch (WaybillStartException e) {
      return List.of();
    }
  }

  private static <T> T configured(Supplier<T> part) {
    try {
      return part.get();
    } catch (WaybillStartException e) {
      throw ApiProblem.conflict(String.valueOf(e.getMessage()));
    }
  }

  /** For who reads messages. */
  <T> T ask(Function<ConsumableBroker, T> question) {
    return use(
        any -> {
          if (any instanceof ConsumableBroker consumable) {
            return question.apply(consumable);
          }
          throw ApiProblem.conflict(
              "The broker of this outbox gives no messages, it takes them alone");
        });
  }

  <T> T use(Function<Broker, T> question) {
    Broker configured = configured(broker);
    if (!room.tryAcquire()) {
      throw ApiProblem.busy();
    }
    try {
      return question.apply(configured);
    } catch (DeadLetterAccessException e) {
      throw e.isMissing()
          ? ApiProblem.missing(String.valueOf(e.getMessage()))
          : ApiProblem.broker(String.valueOf(e.getMessage()));
    } finally {
      room.release();
    }
  }
}
