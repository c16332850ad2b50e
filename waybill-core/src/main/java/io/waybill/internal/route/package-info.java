/** Finds the destination of a row. */
@NullMarked
package io.waybill.internal.route;

import org.jspecify.annotations.NullMarked;
