/** The reference table {@code event_outbox} on both engines, with its six views. */
@NullMarked
package io.waybill.examples.eventoutbox;

import org.jspecify.annotations.NullMarked;
