/** Tests of the load scenarios at a small size. */
@NullMarked
package io.waybill.bench;

import org.jspecify.annotations.NullMarked;
