/** Deterministic simulation of relays, database and brokers; one seed, one run. */
@NullMarked
package io.waybill.proof.sim;

import org.jspecify.annotations.NullMarked;
