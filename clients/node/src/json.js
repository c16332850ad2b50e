// Texts are found as well, since they may contain what looks like a number or a bracket.
const TEXTS = /"(?:[^"\\]+|\\.)*"/g;
const TEXTS_AND_NUMBERS = /"(?:[^"\\]+|\\.)*"|-?\d[\d.eE+-]*/g;
const BRACKETS = /[[\]{}]/g;

/** Whether a media type is JSON, as JsonText of Waybill's Java inbox has it. */
export function isJson(contentType) {
  const type = contentType.split(';', 1)[0].trim().toLowerCase();
  return type === 'application/json' || type === 'text/json' || type.endsWith('+json');
}

/** The body's text if it is JSON, which has no byte order mark, else undefined. */
export function jsonText(body) {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
    JSON.parse(text);
    return text;
  } catch {
    return undefined;
  }
}

/** What a JSON text says, with numbers as texts, which keep all their digits. */
export function parseDigits(json) {
  return JSON.parse(json.replace(TEXTS_AND_NUMBERS, (one) => (one[0] === '"' ? one : `"${one}"`)));
}

/** How deep a JSON text is nested. */
export function depthOf(json) {
  let depth = 0;
  let deepest = 0;
  for (const [bracket] of json.replace(TEXTS, '').matchAll(BRACKETS)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}
