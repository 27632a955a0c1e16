import { ToolcribError } from '../../errors.ts';
import { parsePathKey } from '../../operations/http/path-key.ts';
import {
  type AzureInvocation,
  isObject,
  type Json,
  type JsonObject,
  type ParameterBinding,
} from '../../operations/index.ts';
import { boundValue, refusedValue } from '../http/bound-value.ts';
import type { Pair } from '../http/expand-style.ts';
import { expandPath, isDotSegment } from '../http/path-template.ts';
import { decodedFully } from '../http/percent-encoding.ts';

export interface ConnectorPath {
  /** From the connection's root, percent-encoded, with a leading slash. */
  readonly path: string;
  /** What the path key itself says of the query, percent-encoded. */
  readonly query: readonly Pair[];
}

/**
 * The operation's path with its parameters. Azure forwards it with rights of its own, so that a value that leaves its
 * segment would reach other connections: dot segments and backslashes, encoded or not, are refused before anything is
 * encoded, and the whole is looked at once more. Throws `arguments_invalid`, `source_invalid`.
 */
export function connectorPath(
  { path: key }: Pick<AzureInvocation, 'path'>,
  bindings: ReadonlyMap<string, ParameterBinding>,
  args: JsonObject,
): ConnectorPath {
  for (const binding of bindings.values()) assertStaysInPlace(binding, boundValue(binding, args));
  const parsed = parsePathKey(key);
  const template = parsed.path.startsWith('/') ? parsed.path : `/${parsed.path}`;
  const { path, query } = expandPath(template, bindings, args, { doublesQuotes: false });
  if (path.startsWith('//')) {
    const said = `The path ${path} begins with two slashes: joined to an address it names another host.`;
    throw new ToolcribError('source_invalid', said);
  }
  if (leavesPlace(path)) {
    throw new ToolcribError(
      'arguments_invalid',
      `The path ${path} would hold a dot segment or a backslash and leave its place.`,
    );
  }
  const fixed = parsed.query.map(([name, value]) => [name, value ?? ''] as const);
  return { path, query: [...query, ...fixed] };
}

function assertStaysInPlace(binding: ParameterBinding, value: Json | undefined): void {
  if (typeof value === 'string') {
    if (leavesPlace(value)) {
      throw refusedValue(
        binding,
        'holds a dot segment or a backslash, which would leave its place in the path',
      );
    }
  } else if (Array.isArray(value)) {
    for (const item of value) assertStaysInPlace(binding, item);
  } else if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      assertStaysInPlace(binding, name);
      assertStaysInPlace(binding, member);
    }
  }
}

/** True where some decoding of the text, by however many servers, holds `\`, `.` or `..` as a segment. */
export function leavesPlace(text: string): boolean {
  const decoded = decodedFully(oddForms(decodedFully(oddForms(text))));
  return decoded.includes('\\') || decoded.split('/').some((segment) => isDotSegment(segment.trim()));
}

const ODD: ReadonlyArray<readonly [RegExp, string]> = [
  [/%(?:u002e|c0%ae|c0%2e|e0%80%ae)/gi, '.'],
  [/%(?:u002f|u2215|c0%af|c0%2f|e0%80%af)/gi, '/'],
  [/%(?:u005c|u2216|c1%9c|e0%81%9c)/gi, '\\'],
];

/** Forms of `.`, `/` and `\` that some Windows servers decode: `%uXXXX`, and UTF-8 longer than it may be. */
function oddForms(text: string): string {
  if (!text.includes('%')) return text;
  return ODD.reduce((read, [form, character]) => read.replace(form, character), text);
}
