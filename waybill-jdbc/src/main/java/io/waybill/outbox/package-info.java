/** The write API: appends events in the caller's transaction. */
@NullMarked
package io.waybill.outbox;

import org.jspecify.annotations.NullMarked;
