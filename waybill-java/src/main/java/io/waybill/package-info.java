/** The entry point: {@code Waybill} assembles an outbox and a relay from their parts. */
@NullMarked
package io.waybill;

import org.jspecify.annotations.NullMarked;
