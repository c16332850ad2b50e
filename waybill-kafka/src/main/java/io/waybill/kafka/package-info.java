/** Publisher for Apache Kafka. */
@NullMarked
package io.waybill.kafka;

import org.jspecify.annotations.NullMarked;
