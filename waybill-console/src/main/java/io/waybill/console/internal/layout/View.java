package io.waybill.console.internal.layout;

/**
 * The content of a page.
 *
 * @param template its template
 * @param title what it is called
 * @param page its model, which the template knows by this name
 */
public record View(String template, String title, Object page) implements Reply {}
