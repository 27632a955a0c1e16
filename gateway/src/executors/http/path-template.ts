import { ToolcribError } from '../../errors.ts';
import type { Json, JsonObject, ParameterBinding, ParameterStyle } from '../../operations/index.ts';
import { remember } from '../../operations/work/remember.ts';
import { boundValue, refusedValue, serialised } from './bound-value.ts';
import { type Encode, expandPairs, expandText, type Pair, plainDelimiter } from './expand-style.ts';
import { contentText } from './parameter-content.ts';
import {
  decodedFully,
  encodeDelimiter,
  encodeReservedPath,
  encodeReservedSegment,
  encodeSegments,
  encodeStrict,
} from './percent-encoding.ts';

export interface ExpandedPath {
  readonly path: string;
  /** From `{?a,b}` and `{&a}` (RFC 6570 §3.2.8). */
  readonly query: readonly Pair[];
}

const PLACEHOLDER = /\{([^{}]*)\}/g;
const OPERATORS = '+#./;?&';
const CONTROL = /[\u0000-\u001f\u007f]/;

/**
 * Fills a path template. No value leaves its segment: what would is percent-encoded, and what no encoding can
 * hold (an empty value, dot segments, control characters) is refused. `{+name}` keeps its slashes, and so does a value of
 * several segments. Connectors of Azure are sent what Microsoft's own clients send, whose quotes are encoded once.
 */
export function expandPath(
  template: string,
  bindings: ReadonlyMap<string, ParameterBinding>,
  args: JsonObject,
  { doublesQuotes = true } = {},
): ExpandedPath {
  const query: Pair[] = [];
  const { first, rest } = readTemplate(template);
  let path = first;
  for (const { placeholder, literal, quoted } of rest) {
    const text = expandPlaceholder(placeholder, bindings, args, query);
    path += (quoted && doublesQuotes ? withinQuotes(text) : text) + literal;
  }
  return { path, query };
}

/** A template in its parts: literals as they go out, and between them the placeholders. */
interface TemplateParts {
  readonly first: string;
  readonly rest: ReadonlyArray<{
    readonly placeholder: string;
    readonly literal: string;
    /** Between single quotes, as OData writes a key: `Rates(cur='{cur}')`. */
    readonly quoted: boolean;
  }>;
}

const QUOTE_BEFORE = /(?:'|%27)$/;
const QUOTE_AFTER = /^(?:'|%27)/;
const QUOTES = /(?:'|%27)+/g;
const QUOTE = /'|%27/g;

/**
 * Within a literal of OData a quote stands twice, else the literal ends there and the rest of the value is read as part
 * of the key (OData 4.01 ABNF, `SQUOTE-in-string`). Whose quotes all stand twice has said it so.
 */
function withinQuotes(text: string): string {
  const isOdd = (run: string): boolean => (run.match(QUOTE)?.length ?? 0) % 2 === 1;
  return text.match(QUOTES)?.some(isOdd) ? text.replace(QUOTE, '$&$&') : text;
}

const readTemplate = remember(1000, (template): TemplateParts => {
  const [first = '', ...others] = template.split(PLACEHOLDER);
  const rest = [];
  for (let at = 0; at < others.length; at += 2) {
    const literal = encodeReservedPath(others[at + 1]!);
    const before = at === 0 ? first : others[at - 1]!;
    const quoted = QUOTE_BEFORE.test(before) && QUOTE_AFTER.test(literal);
    rest.push({ placeholder: others[at]!, literal, quoted });
  }
  return { first: encodeReservedPath(first), rest };
});

function expandPlaceholder(
  content: string,
  bindings: ReadonlyMap<string, ParameterBinding>,
  args: JsonObject,
  query: Pair[],
): string {
  const whole = bindings.get(content);
  if (whole !== undefined) return expandOne(whole, '', false, args);
  const operator = OPERATORS.includes(content.charAt(0)) ? content.charAt(0) : '';
  const texts: string[] = [];
  const list = content.slice(operator.length);
  for (const part of bindings.has(list) ? [list] : list.split(',')) {
    const star = part.endsWith('*');
    const name = star ? part.slice(0, -1) : part;
    const binding = bindings.get(name) ?? bindings.get(name.split(':', 1)[0]!);
    if (binding === undefined) {
      if (operator === '?' || operator === '&' || operator === '#') continue;
      throw new ToolcribError(
        'source_invalid',
        `The path names {${content}}, but no parameter describes it.`,
      );
    }
    if (operator === '?' || operator === '&') query.push(...queryPairs(binding, star, args));
    else if (operator !== '#') texts.push(expandOne(binding, operator, star, args));
  }
  return texts.join(operator === '' || operator === '+' ? ',' : '');
}

function expandOne(binding: ParameterBinding, operator: string, star: boolean, args: JsonObject): string {
  const value = boundValue(binding, args);
  if (value === undefined || value === null) throw refusedValue(binding, 'is needed in the path');
  const keepsSlashes = operator === '+' || binding.encoding === 'slashes';
  const encode = encodingOf(binding, operator);
  const text = serialised(binding, () =>
    binding.contentType !== undefined
      ? encode(contentText(value, binding.contentType, binding.members))
      : operator === '/'
        ? slashed(value, binding, star)
        : expandText(value, expansion(binding, operator, star, encode)),
  );
  if (binding.arg !== undefined) checkPlaced(binding, text, keepsSlashes);
  return binding.encoding === 'double' ? encodeStrict(text) : text;
}

function encodingOf({ encoding, allowReserved }: ParameterBinding, operator: string): Encode {
  if (operator === '+') return encodeReservedPath;
  if (encoding === 'slashes') return encodeSegments;
  return allowReserved ? encodeReservedSegment : encodeStrict;
}

const OPERATOR_STYLES: Readonly<Record<string, ParameterStyle>> = { '.': 'label', ';': 'matrix' };

function expansion(binding: ParameterBinding, operator: string, star: boolean, encode: Encode) {
  const style = binding.style ?? OPERATOR_STYLES[operator] ?? 'simple';
  const delimiter = encodeDelimiter(binding.delimiter ?? plainDelimiter(style));
  const nested = binding.nested?.map(encodeDelimiter);
  return { name: binding.name, style, explode: binding.explode ?? star, delimiter, nested, encode };
}

/** `{/a}`: a segment of its own, or one for each item when exploded (RFC 6570 §3.2.6). */
function slashed(value: Json, binding: ParameterBinding, star: boolean): string {
  const explode = binding.explode ?? star;
  if (!explode || !Array.isArray(value))
    return `/${expandText(value, expansion(binding, '', false, encodeStrict))}`;
  return value.map((item) => `/${expandText(item, expansion(binding, '', false, encodeStrict))}`).join('');
}

function queryPairs(binding: ParameterBinding, star: boolean, args: JsonObject): Pair[] {
  const value = boundValue(binding, args);
  if (value === undefined || value === null) return [];
  const form = {
    name: binding.name,
    style: 'form',
    explode: star,
    delimiter: ',',
    encode: encodeStrict,
  } as const;
  return serialised(binding, () => expandPairs(value, form));
}

/** A server or proxy may decode before it routes: no decoding of the value may hold a dot segment. */
function checkPlaced(binding: ParameterBinding, text: string, keepsSlashes: boolean): void {
  if (text === '' || text === '/') {
    throw refusedValue(binding, 'is empty: the path would then name something else');
  }
  const tabbed = binding.delimiter === '\t' || binding.nested?.includes('\t');
  const decoded = decodedFully(tabbed ? text.replaceAll('%09', '') : text);
  if (CONTROL.test(decoded)) throw refusedValue(binding, 'holds control characters, which no path may');
  if (decoded.split(/[/\\]/).some(isDotSegment)) {
    throw refusedValue(binding, 'holds a dot segment, which would leave its place in the path');
  }
  if (keepsSlashes && text.split('/').includes('')) {
    throw refusedValue(binding, 'holds an empty path segment: no slash at either end, none doubled');
  }
}

/** `.` and `..`, whatever stands after a `;` (RFC 3986 §3.3 path parameters). */
export function isDotSegment(segment: string): boolean {
  const name = segment.split(';', 1)[0];
  return name === '.' || name === '..';
}
