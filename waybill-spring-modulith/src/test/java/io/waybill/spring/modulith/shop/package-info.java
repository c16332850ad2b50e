/** A small Modulith application. */
package io.waybill.spring.modulith.shop;
