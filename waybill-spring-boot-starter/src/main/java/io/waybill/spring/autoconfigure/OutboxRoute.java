package io.waybill.spring.autoconfigure;

/**
 * How an outbox's events travel.
 *
 * @param broker where they go
 * @param settings how
 */
record OutboxRoute(RelayBrokerSide broker, RelaySettings settings) {}
