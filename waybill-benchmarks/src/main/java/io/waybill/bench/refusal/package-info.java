/** A relay while one of its destinations refuses. */
@NullMarked
package io.waybill.bench.refusal;

import org.jspecify.annotations.NullMarked;
