/** The environment, the output and the exit codes of every command. */
@NullMarked
package io.waybill.server.terminal;

import org.jspecify.annotations.NullMarked;
