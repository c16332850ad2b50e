/** Keys that do not flow. */
@org.jspecify.annotations.NullMarked
package io.waybill.console.internal.keys;
