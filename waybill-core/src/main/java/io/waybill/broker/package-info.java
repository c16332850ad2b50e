/** The broker seam: a publisher takes messages and reports one outcome for each. */
@NullMarked
package io.waybill.broker;

import org.jspecify.annotations.NullMarked;
