/** Events for observers of relays and inboxes, and findings of start-up checks. */
@NullMarked
package io.waybill.observe;

import org.jspecify.annotations.NullMarked;
