/** The declaration of what destinations lack, by a command. */
@NullMarked
package io.waybill.server.destination;

import org.jspecify.annotations.NullMarked;
