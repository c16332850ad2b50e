/**
 * The simulated world of relays: producers, database, brokers, faults, and the checks of each step.
 */
@NullMarked
package io.waybill.proof.sim.relay;

import org.jspecify.annotations.NullMarked;
