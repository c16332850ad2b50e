/** What an observer of the relay is told, and what start-up checks find. */
@NullMarked
package io.waybill.observe;

import org.jspecify.annotations.NullMarked;
