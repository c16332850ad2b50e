/** Layouts: the meaning of the columns of any outbox table; presets and checks. */
@NullMarked
package io.waybill.layout;

import org.jspecify.annotations.NullMarked;
