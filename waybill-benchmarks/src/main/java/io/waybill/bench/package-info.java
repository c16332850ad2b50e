/** Load scenarios: Waybill beside its yardsticks on real servers. Not published. */
@NullMarked
package io.waybill.bench;

import org.jspecify.annotations.NullMarked;
