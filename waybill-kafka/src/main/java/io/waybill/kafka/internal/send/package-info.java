/** How a publisher sends: topics, clients and the order of their failures. */
@NullMarked
package io.waybill.kafka.internal.send;

import org.jspecify.annotations.NullMarked;
