/** How a publisher sends: links, channels and the outcomes of their sends. */
@NullMarked
package io.waybill.rabbitmq.internal.send;

import org.jspecify.annotations.NullMarked;
