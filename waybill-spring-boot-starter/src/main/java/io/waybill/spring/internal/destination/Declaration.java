package io.waybill.spring.internal.destination;

import io.waybill.broker.DestinationDeclaration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which destinations are meant, and how what they lack is made.
 *
 * @param names their names; empty for those of all routes
 * @param settings of new parts
 * @param queue the RabbitMQ queue to bind, or null for none
 */
public record Declaration(
    List<String> names, DestinationDeclaration.Settings settings, @Nullable String queue) {
  /** Copies the list. */
  public Declaration {
    names = List.copyOf(names);
  }
}
