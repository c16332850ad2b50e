/** The application of docs/spring-boot.md, as a project with the starter and a driver alone. */
@NullMarked
package io.waybill.examples.first;

import org.jspecify.annotations.NullMarked;
