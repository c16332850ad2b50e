package io.waybill.demo;

/**
 * What a run of the demo does.
 *
 * @param broker where events go
 * @param events events to commit
 * @param rate events per second
 * @param keep whether everything stays up in the end
 * @param json whether the last line is a JSON object
 */
record DemoOptions(BrokerKind broker, int events, int rate, boolean keep, boolean json) {}
