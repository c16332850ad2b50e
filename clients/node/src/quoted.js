const SHOWN = 64;
const UNPLAIN = /[\p{C}\p{Zl}\p{Zp}]/u;

/**
 * Foreign text for messages, as Quoted of Waybill's Java inbox has it: shortened, and what a
 * terminal or a format of logs could interpret is escaped.
 */
export function quoted(text) {
  const points = Array.from(text);
  const rest = points.length > SHOWN ? `... (${text.length} characters)` : '';
  return `"${points.slice(0, SHOWN).map(escaped).join('')}"${rest}`;
}

function escaped(point) {
  if (point === '"' || point === '\\') {
    return `\\${point}`;
  }
  if (!UNPLAIN.test(point)) {
    return point;
  }
  const digits = point.codePointAt(0).toString(16);
  return digits.length > 4 ? `\\u{${digits}}` : `\\u${digits.padStart(4, '0')}`;
}
