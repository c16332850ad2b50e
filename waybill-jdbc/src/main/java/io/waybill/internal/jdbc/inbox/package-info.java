/** Transactions of the inbox. */
@NullMarked
package io.waybill.internal.jdbc.inbox;

import org.jspecify.annotations.NullMarked;
