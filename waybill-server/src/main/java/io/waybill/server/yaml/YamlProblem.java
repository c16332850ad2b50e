package io.waybill.server.yaml;

/**
 * Why a document was refused.
 *
 * @param line line number from 1, 0 if unknown
 * @param path dotted path of the node, empty for the document
 * @param rule what is wrong, without the text of the document
 */
public record YamlProblem(int line, String path, String rule) {}
