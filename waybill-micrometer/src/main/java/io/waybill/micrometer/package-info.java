/** Meters for what a relay does. */
@NullMarked
package io.waybill.micrometer;

import org.jspecify.annotations.NullMarked;
