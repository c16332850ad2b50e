/** The API with which consoles and commands inspect and repair an outbox. */
@NullMarked
package io.waybill.admin;

import org.jspecify.annotations.NullMarked;
