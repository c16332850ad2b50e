/** The commands of the command line. */
@NullMarked
package io.waybill.server.command;

import org.jspecify.annotations.NullMarked;
