/** The threads of the relay: they carry out what its engine decides. */
@NullMarked
package io.waybill.internal.relay.shell;

import org.jspecify.annotations.NullMarked;
