package io.waybill.examples.wallet;

import org.jspecify.annotations.Nullable;

/** Something that happened. Its simple class name is its type, its record components its JSON. */
interface DomainEvent {
  /** What keeps it in order with others, or null for no order. */
  @Nullable String correlationId();
}
