/** What a run of any simulation is made of: chance, time, trace and result. */
@NullMarked
package io.waybill.proof.sim.seed;

import org.jspecify.annotations.NullMarked;
