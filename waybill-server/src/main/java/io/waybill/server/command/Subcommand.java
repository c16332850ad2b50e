package io.waybill.server.command;

/**
 * A further command below {@code waybill}: a class with picocli's {@code @Command}, named as a
 * service provider of this type by its jar.
 */
public interface Subcommand {}
