// Literals of a predicate.

/** The literal of a value. Dates, UUIDs and objects are strings, whose meaning depends on the type that they are compared with. */
export function literal(value, { type } = {}) {
  if (value == null) return 'nil';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (/^(Integer|Decimal)/.test(type ?? '') && /^-?\d+(\.\d+)?$/.test(value)) return value;
  return `"${String(value).replace(/["\\]/g, '\\$&').replace(/\n/g, '\\n').replace(/\r/g, '\\r').replace(/\t/g, '\\t')}"`;
}
