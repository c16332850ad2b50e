/** The console in an application of Spring MVC, or in a standalone relay. */
@org.jspecify.annotations.NullMarked
package io.waybill.console.autoconfigure;
