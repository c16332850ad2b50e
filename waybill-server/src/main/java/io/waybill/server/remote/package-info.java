/** Outboxes as commands reach them: by their database, or through an API. */
@NullMarked
package io.waybill.server.remote;

import org.jspecify.annotations.NullMarked;
