/** CPU, memory and time stamps of processes. */
@NullMarked
package io.waybill.bench.measure;

import org.jspecify.annotations.NullMarked;
