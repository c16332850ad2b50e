/** Real servers, each in a process of its own. */
@NullMarked
package io.waybill.proof.server;

import org.jspecify.annotations.NullMarked;
