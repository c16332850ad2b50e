/** The formats of messages. */
@NullMarked
package io.waybill.encode;

import org.jspecify.annotations.NullMarked;
