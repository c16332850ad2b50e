/** Relays that die at a step of choice: decorators around the seams of a relay, for tests. */
@NullMarked
package io.waybill.proof.crash;

import org.jspecify.annotations.NullMarked;
