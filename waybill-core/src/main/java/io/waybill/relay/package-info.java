/** The rules of a relay: routes, formats, and what happens to failures. */
@NullMarked
package io.waybill.relay;

import org.jspecify.annotations.NullMarked;
