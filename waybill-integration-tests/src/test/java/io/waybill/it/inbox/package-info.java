/** Inboxes in processes of their own, between real brokers and databases. */
@NullMarked
package io.waybill.it.inbox;

import org.jspecify.annotations.NullMarked;
