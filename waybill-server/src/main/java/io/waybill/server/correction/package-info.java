/** The correction of an event at the terminal. */
@NullMarked
package io.waybill.server.correction;

import org.jspecify.annotations.NullMarked;
