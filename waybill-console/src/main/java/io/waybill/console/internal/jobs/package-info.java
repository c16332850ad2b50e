/** Changes of events: planned, seen, run. */
@NullMarked
package io.waybill.console.internal.jobs;

import org.jspecify.annotations.NullMarked;
