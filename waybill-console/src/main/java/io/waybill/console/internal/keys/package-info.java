/** Keys that do not flow. */
@NullMarked
package io.waybill.console.internal.keys;

import org.jspecify.annotations.NullMarked;
