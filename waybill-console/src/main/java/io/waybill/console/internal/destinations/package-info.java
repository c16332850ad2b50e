/** Destinations: how they stand, pause, resume, declare. */
@org.jspecify.annotations.NullMarked
package io.waybill.console.internal.destinations;
