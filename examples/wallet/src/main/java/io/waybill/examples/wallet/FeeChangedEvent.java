package io.waybill.examples.wallet;

import org.jspecify.annotations.Nullable;

/** The fee of transfers changed: no wallet's event, so it has no place in any order. */
record FeeChangedEvent(String operationId, long cents) implements DomainEvent {
  @Override
  public @Nullable String correlationId() {
    return null;
  }
}
