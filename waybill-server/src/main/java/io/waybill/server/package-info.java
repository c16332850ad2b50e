/** The standalone relay and its command line. */
@NullMarked
package io.waybill.server;

import org.jspecify.annotations.NullMarked;
