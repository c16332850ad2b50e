package io.waybill.store;

import java.util.List;

/**
 * What one read returned.
 *
 * @param rows rows in order
 * @param more whether another read would return rows at once; false after a read says that every
 *     row present when its lanes were assigned has been returned
 */
public record ReadResult(List<OutboxRow> rows, boolean more) {}
