/** Faults with real processes: relays as children, real servers, an oracle on what arrived. */
@NullMarked
package io.waybill.it;

import org.jspecify.annotations.NullMarked;
