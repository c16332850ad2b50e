/** Requests of operators. */
@org.jspecify.annotations.NullMarked
package io.waybill.console.internal.audit;
