/** Consumers and their inboxes. */
@NullMarked
package io.waybill.console.internal.inbox;

import org.jspecify.annotations.NullMarked;
