/** Types of Java and Kotlin by the word that says the same without them. */
const WORDS: Readonly<Record<string, string>> = Object.freeze({
  any: 'anything',
  bigdecimal: 'number',
  biginteger: 'integer',
  boolean: 'true or false',
  byte: 'integer',
  char: 'text',
  charsequence: 'text',
  double: 'number',
  duration: 'duration',
  float: 'number',
  instant: 'date and time',
  int: 'integer',
  integer: 'integer',
  jsonnode: 'JSON',
  jsonobject: 'JSON object',
  localdate: 'date',
  localdatetime: 'date and time',
  long: 'integer',
  object: 'object',
  offsetdatetime: 'date and time',
  short: 'integer',
  string: 'text',
  unit: 'nothing',
  uri: 'URI',
  url: 'URL',
  uuid: 'UUID',
  void: 'nothing',
  zoneddatetime: 'date and time',
});
const LISTS = /^(?:mutable)?(?:list|array|arraylist|collection|iterable|sequence|set|hashset)$/;
const MAPS = /^(?:mutable)?(?:map|hashmap)$/;

/** A type expression: a dotted name, its parameters in angle brackets. Nothing else is touched. */
const NAME = /[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*\??/y;
const MAX_LENGTH = 300;
const MAX_DEPTH = 8;

/** `collections.Set<String>` → `list of text`, `io.acme.RoleEnum` → `role enum`; text that is no type stays as it is. */
export function plainType(type: string): string {
  if (type.length > MAX_LENGTH) return type;
  const reader = { text: type, at: 0 };
  const found = typeAt(reader, 0);
  if (found === undefined) return type;
  const rest = type.slice(reader.at);
  return rest === '' || /^ (?:or null|stream)$|^ \([^()]*\)$/.test(rest) ? found + rest : type;
}

function typeAt(reader: { readonly text: string; at: number }, depth: number): string | undefined {
  NAME.lastIndex = reader.at;
  const name = NAME.exec(reader.text)?.[0];
  if (name === undefined || depth > MAX_DEPTH) return undefined;
  reader.at += name.length;
  const inner: string[] = [];
  if (reader.text[reader.at] === '<') {
    do {
      reader.at++;
      while (reader.text[reader.at] === ' ') reader.at++;
      const one = typeAt(reader, depth + 1);
      if (one === undefined) return undefined;
      inner.push(one);
    } while (reader.text[reader.at] === ',');
    if (reader.text[reader.at] !== '>') return undefined;
    reader.at++;
  }
  if (reader.text[reader.at] === '?') {
    reader.at++;
    return `${said(name, inner)} or null`;
  }
  return said(name, inner);
}

function said(name: string, inner: readonly string[]): string {
  const optional = name.endsWith('?');
  const last = (optional ? name.slice(0, -1) : name).split('.').at(-1)!;
  const plain = last.toLowerCase();
  const of = inner.at(-1);
  const words = LISTS.test(plain)
    ? `list of ${of ?? 'anything'}`
    : MAPS.test(plain)
      ? `map of ${of ?? 'anything'}`
      : Object.hasOwn(WORDS, plain)
        ? WORDS[plain]!
        : spoken(last) + (of === undefined || of === 'anything' ? '' : ` of ${of}`);
  return optional ? `${words} or null` : words;
}

/** `RbdMirrorDirection` → `rbd mirror direction`; a type parameter such as `T` says nothing. */
function spoken(name: string): string {
  if (/^[A-Z]$/.test(name)) return 'anything';
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/(?<![A-Z])([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase();
}
