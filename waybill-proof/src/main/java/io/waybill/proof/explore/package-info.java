/** Breadth-first exploration of the relay engine in worlds that are small enough for it. */
@NullMarked
package io.waybill.proof.explore;

import org.jspecify.annotations.NullMarked;
