/**
 * The simulated world of inboxes: broker, consumers, database, faults, and the checks of each step.
 */
@NullMarked
package io.waybill.proof.sim.inbox;

import org.jspecify.annotations.NullMarked;
