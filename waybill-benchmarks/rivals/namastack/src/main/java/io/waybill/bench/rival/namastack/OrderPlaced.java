package io.waybill.bench.rival.namastack;

/**
 * The event.
 *
 * @param body JSON that goes to the broker
 */
public record OrderPlaced(String body) {}
