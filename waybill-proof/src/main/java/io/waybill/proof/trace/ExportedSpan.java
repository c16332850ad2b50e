package io.waybill.proof.trace;

/**
 * A span as a receiver of OTLP gets it.
 *
 * @param service name of the service
 * @param name name of the span
 * @param traceId 32 hexadecimal digits
 * @param spanId 16 hexadecimal digits
 * @param parentId those of the parent, empty if there is none
 * @param startNanos when it began, nanoseconds since the epoch
 */
public record ExportedSpan(
    String service, String name, String traceId, String spanId, String parentId, long startNanos) {}
