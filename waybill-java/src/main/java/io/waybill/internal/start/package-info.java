/** The life of a relay, from its description and its checks to its stop. */
@NullMarked
package io.waybill.internal.start;

import org.jspecify.annotations.NullMarked;
