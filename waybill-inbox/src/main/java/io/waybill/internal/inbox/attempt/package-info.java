/** One handling of events in one transaction: its steps, and what carries them out. */
@NullMarked
package io.waybill.internal.inbox.attempt;

import org.jspecify.annotations.NullMarked;
