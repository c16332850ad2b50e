/** Groups of failures. */
@org.jspecify.annotations.NullMarked
package io.waybill.console.internal.failures;
