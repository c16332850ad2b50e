/** Which column of an outbox table holds what, for any table; presets and checks. */
@NullMarked
package io.waybill.layout;

import org.jspecify.annotations.NullMarked;
