/** The destinations of the configured routes, and the declaration of what they lack. */
@NullMarked
package io.waybill.server.destination;

import org.jspecify.annotations.NullMarked;
