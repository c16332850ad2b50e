/** Destinations: how they stand, pause, resume, declare. */
@NullMarked
package io.waybill.console.internal.destinations;

import org.jspecify.annotations.NullMarked;
