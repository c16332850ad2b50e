/** Spring Modulith beside Waybill. */
@NullMarked
package io.waybill.bench.rival.modulith;

import org.jspecify.annotations.NullMarked;
