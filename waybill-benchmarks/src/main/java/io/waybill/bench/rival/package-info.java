/** How a rival's relay is run: needs nothing but the JDK and a JDBC driver. */
@NullMarked
package io.waybill.bench.rival;

import org.jspecify.annotations.NullMarked;
