/** Consumers and their inboxes. */
@org.jspecify.annotations.NullMarked
package io.waybill.console.internal.inbox;
