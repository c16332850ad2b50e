/** Events, and one of them. */
@org.jspecify.annotations.NullMarked
package io.waybill.console.internal.events;
