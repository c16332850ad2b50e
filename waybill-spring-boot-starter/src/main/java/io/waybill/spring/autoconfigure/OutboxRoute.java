package io.waybill.spring.autoconfigure;

/**
 * How an outbox's events travel.
 *
 * @param broker where they go
 * @param settings how
 * @param context where the settings of the broker come from
 */
record OutboxRoute(RelayBrokerSide broker, RelaySettings settings, BrokerContext context) {}
