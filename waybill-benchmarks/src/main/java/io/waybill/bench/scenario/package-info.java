/** What can be measured, one class for each. */
@NullMarked
package io.waybill.bench.scenario;

import org.jspecify.annotations.NullMarked;
