/** Commands of the deterministic simulations of relays and of inboxes; one seed, one run. */
@NullMarked
package io.waybill.proof.sim;

import org.jspecify.annotations.NullMarked;
