// Values as a predicate writes them.

/** Dates, UUIDs and objects are texts, which the predicate reads by the type of what they are compared with. */
export function literal(value, { type } = {}) {
  if (value == null) return 'nil';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (/^(Integer|Decimal)/.test(type ?? '') && /^-?\d+(\.\d+)?$/.test(value)) return value;
  return `"${String(value).replace(/["\\]/g, '\\$&').replace(/\n/g, '\\n').replace(/\r/g, '\\r').replace(/\t/g, '\\t')}"`;
}
