/** The relay of the tutorials beside Waybill. */
@NullMarked
package io.waybill.bench.rival.tutorial;

import org.jspecify.annotations.NullMarked;
