/** Where log lines go and what they look like. */
@NullMarked
package io.waybill.server.log;

import org.jspecify.annotations.NullMarked;
