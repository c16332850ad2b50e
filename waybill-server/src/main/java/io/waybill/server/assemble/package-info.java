/** From configuration to running relays: the only place that knows all the parts. */
@NullMarked
package io.waybill.server.assemble;

import org.jspecify.annotations.NullMarked;
