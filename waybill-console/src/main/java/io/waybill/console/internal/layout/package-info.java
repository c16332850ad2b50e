/** What every page has: its frame, its times and texts, its buttons. */
@org.jspecify.annotations.NullMarked
package io.waybill.console.internal.layout;
