/** Changes of events: planned, seen, run. */
@org.jspecify.annotations.NullMarked
package io.waybill.console.internal.jobs;
