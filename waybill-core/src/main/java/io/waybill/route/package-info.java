/** Routes: from the fields of an event to its destination, as templates. */
@NullMarked
package io.waybill.route;

import org.jspecify.annotations.NullMarked;
