/** Users of the API of a standalone relay. */
@NullMarked
package io.waybill.server.access;

import org.jspecify.annotations.NullMarked;
