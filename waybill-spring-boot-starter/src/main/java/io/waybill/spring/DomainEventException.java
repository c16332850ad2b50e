package io.waybill.spring;

import org.jspecify.annotations.Nullable;

/**
 * A domain event cannot be turned into an event of the outbox. Nothing has been written; the
 * transaction should be rolled back.
 */
public class DomainEventException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  DomainEventException(Class<?> type, String rule, @Nullable Throwable cause) {
    super("Domain event " + type.getName() + ": " + rule, cause);
  }
}
