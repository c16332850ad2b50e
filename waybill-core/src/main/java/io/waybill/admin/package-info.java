/** What consoles and commands call to see and mend. */
@NullMarked
package io.waybill.admin;

import org.jspecify.annotations.NullMarked;
