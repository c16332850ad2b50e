/** The threads of the inbox: they carry out what its engine decides. */
@NullMarked
package io.waybill.internal.inbox.shell;

import org.jspecify.annotations.NullMarked;
