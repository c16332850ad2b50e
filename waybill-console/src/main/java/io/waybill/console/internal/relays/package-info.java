/** Relays and lanes. */
@org.jspecify.annotations.NullMarked
package io.waybill.console.internal.relays;
