/** What was measured, how it is printed, and what must not be. */
@NullMarked
package io.waybill.bench.report;

import org.jspecify.annotations.NullMarked;
