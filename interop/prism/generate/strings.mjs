import RandExp from 'randexp';

/** Values that ajv-formats accepts; `n` makes them differ. */
const FORMATS = {
  date: (n) => `2024-02-${String(10 + (n % 10)).padStart(2, '0')}`,
  'date-time': (n) => `2024-02-10T08:30:${String(n % 60).padStart(2, '0')}Z`,
  'iso-date-time': (n) => `2024-02-10T08:30:${String(n % 60).padStart(2, '0')}Z`,
  time: (n) => `08:30:${String(n % 60).padStart(2, '0')}Z`,
  'iso-time': (n) => `08:30:${String(n % 60).padStart(2, '0')}Z`,
  duration: (n) => `P${n + 1}D`,
  email: (n) => `person${n}@example.com`,
  'idn-email': (n) => `person${n}@example.com`,
  hostname: (n) => `host${n}.example.com`,
  'idn-hostname': (n) => `host${n}.example.com`,
  ipv4: (n) => `192.0.2.${1 + (n % 250)}`,
  ipv6: (n) => `2001:db8::${1 + (n % 9000)}`,
  uri: (n) => `https://example.com/a/${n}`,
  url: (n) => `https://example.com/a/${n}`,
  iri: (n) => `https://example.com/a/${n}`,
  'uri-reference': (n) => `/a/${n}`,
  'iri-reference': (n) => `/a/${n}`,
  'uri-template': (n) => `/a/{b${n}}`,
  uuid: (n) => `3f0c2a4e-8b1d-4c6f-9a2e-${String(n).padStart(12, '0')}`,
  'json-pointer': (n) => `/a/${n}`,
  'relative-json-pointer': (n) => `${n}/a`,
  regex: (n) => `^a{${n}}$`,
  byte: base64Text,
};

/** Base64 of base64: where the document calls raw bytes `byte`, what arrives decoded is base64 text still. */
function base64Text(n) {
  return btoa(btoa(`bytes ${n}`));
}

/** A string that fits pattern, format and length where one can be found; the same for the same input. */
export function stringFor(schema, n) {
  const patterns = [schema.pattern ?? []].flat();
  const fits = (text) => hasLength(text, schema) && patterns.every((pattern) => matches(pattern, text));
  const found = candidates(schema, patterns, n).find(fits);
  return found ?? fitLength(`a${n}`, schema);
}

function* candidates(schema, patterns, n) {
  if (schema.contentEncoding === 'base64') yield base64Text(n);
  if (Object.hasOwn(FORMATS, schema.format ?? '')) yield fitLength(FORMATS[schema.format](n), schema);
  if (patterns.length === 0 && plainText(n).length <= (schema.maxLength ?? 1e6))
    yield fitLength(plainText(n), schema);
  yield fitLength(`a${n}`, schema);
  yield fitLength(String(n + 1), schema, '1');
  yield fitLength('A'.repeat(2 + n), schema, 'A');
  for (const pattern of patterns)
    for (let round = 0; round < 12; round++) yield* fromPattern(pattern, n + round);
}

/** Holds what careless encoding breaks: an ampersand, an equals sign and a space. */
function plainText(n) {
  return `a&b=c d${n}`;
}

function fitLength(text, { minLength = 0, maxLength = Number.POSITIVE_INFINITY }, filler = 'x') {
  const padded =
    text.length < minLength ? text + filler.repeat(Math.min(minLength - text.length, 100_000)) : text;
  return padded.length > maxLength ? padded.slice(padded.length - maxLength) : padded;
}

function hasLength(text, { minLength = 0, maxLength = Number.POSITIVE_INFINITY }) {
  const length = [...text].length;
  return length >= minLength && length <= maxLength;
}

function matches(pattern, text) {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    return new RegExp(pattern).test(text);
  }
}

/** Letters and digits where the pattern leaves a choice, then any printable character. */
const RANGES = [
  [0x30, 0x7a],
  [0x20, 0x7e],
];

/** Texts of growing length: each repetition as short as the pattern allows, then a little longer. */
function* fromPattern(pattern, seed) {
  for (const [first, last] of RANGES) {
    try {
      const generator = new RandExp(pattern);
      generator.defaultRange.subtract(0, first - 1).subtract(last + 1, 0xffff);
      generator.max = 2 + seed * 4;
      let step = seed;
      generator.randInt = (from, to) =>
        from + (to > from ? (step++ * 7 + seed) % (Math.min(to, from + 200) - from + 1) : 0);
      yield generator.gen();
      generator.randInt = (from, to) => Math.min(to, from + seed);
      yield generator.gen();
    } catch {
      // The pattern uses what the generator does not know; other candidates remain.
    }
  }
}
