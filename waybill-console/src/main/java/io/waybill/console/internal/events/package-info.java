/** Events, and one of them. */
@NullMarked
package io.waybill.console.internal.events;

import org.jspecify.annotations.NullMarked;
