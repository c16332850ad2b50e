/** The consumer half: each event applied once, retried sensibly, dead-lettered visibly. */
@NullMarked
package io.waybill.inbox;

import org.jspecify.annotations.NullMarked;
