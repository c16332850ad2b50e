/** Single questions, each answered by JMH. */
@NullMarked
package io.waybill.bench.micro;

import org.jspecify.annotations.NullMarked;
