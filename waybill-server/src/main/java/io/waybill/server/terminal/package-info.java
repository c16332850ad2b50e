/** What every command has of the place that it runs in: environment, output, exit codes. */
@NullMarked
package io.waybill.server.terminal;

import org.jspecify.annotations.NullMarked;
