/** What the start-up checks find now. */
@NullMarked
package io.waybill.console.internal.checks;

import org.jspecify.annotations.NullMarked;
