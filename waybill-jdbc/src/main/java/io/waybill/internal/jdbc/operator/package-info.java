/** Operators' requests and views, and the removal of published rows. */
@NullMarked
package io.waybill.internal.jdbc.operator;

import org.jspecify.annotations.NullMarked;
