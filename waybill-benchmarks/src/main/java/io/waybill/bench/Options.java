package io.waybill.bench;

import io.waybill.bench.wire.BrokerKind;

/**
 * What a run is asked to do.
 *
 * @param broker where events go
 * @param events events per candidate and round
 * @param rounds interleaved rounds
 * @param keys number of keys
 * @param rate events per second of the writer
 * @param seconds length of a measurement at a rate
 * @param samples first events after idleness
 * @param pauseSeconds idleness before each
 * @param format format of Waybill's messages
 */
record Options(
    BrokerKind broker,
    long events,
    int rounds,
    int keys,
    int rate,
    int seconds,
    int samples,
    double pauseSeconds,
    String format) {}
