/** Finds the destination of a row. */
@NullMarked
package io.waybill.route;

import org.jspecify.annotations.NullMarked;
