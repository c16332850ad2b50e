/** Relays and lanes. */
@NullMarked
package io.waybill.console.internal.relays;

import org.jspecify.annotations.NullMarked;
