/** From a row to its destination. */
@NullMarked
package io.waybill.route;

import org.jspecify.annotations.NullMarked;
