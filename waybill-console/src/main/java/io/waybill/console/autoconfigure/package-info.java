/** The console in an application of Spring MVC, or in a standalone relay. */
@NullMarked
package io.waybill.console.autoconfigure;

import org.jspecify.annotations.NullMarked;
