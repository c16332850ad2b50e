/** The rules of a relay: routes, formats, and what happens to failures. */
@NullMarked
package io.waybill.internal.relay.rules;

import org.jspecify.annotations.NullMarked;
