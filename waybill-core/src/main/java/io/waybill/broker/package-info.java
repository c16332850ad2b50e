/** The broker seam: a publisher sends messages, a subscriber receives them. */
@NullMarked
package io.waybill.broker;

import org.jspecify.annotations.NullMarked;
