import { escapeToken, type FixedValue, isObject, type JsonObject } from '../../operations/index.ts';
import type { DeclaredParameters } from '../openapi/requests/declared-parameters.ts';
import type { BodyMember } from './body-members.ts';
import type { CompiledInput } from './compiled-input.ts';
import type { ConnectorDocument } from './connector-document.ts';
import { describedText } from './dialect.ts';
import { isInternal } from './internal-value.ts';

/** Parameters that are not asked for, and texts of those that are. Returns the names of what is left out, lower case. */
export function applyVisibility(
  document: ConnectorDocument,
  input: CompiledInput,
  { beside, form }: DeclaredParameters,
): ReadonlySet<string> {
  const hidden = new Set<string>();
  for (const { node, pointer } of [...beside, ...form]) {
    const name = String(node.name);
    const binding = input.binding(placeOf(node), name);
    if (binding?.arg === undefined) continue;
    const target = isObject(node.schema) ? node.schema : node;
    if (!isInternal(node, target)) {
      // the notes about values come with the choices
      input.describe(
        binding.arg,
        describedText(node, () => false),
      );
      continue;
    }
    if (node.required === true || node.in === 'path') {
      reportInternal(document, name, pointer);
      continue;
    }
    hidden.add(name.toLowerCase());
    input.drop(binding);
  }
  return hidden;
}

/** The body's members that are not asked for; what is sent for nested ones. */
export function applyBodyVisibility(
  document: ConnectorDocument,
  input: CompiledInput,
  { body }: DeclaredParameters,
  members: readonly BodyMember[],
): FixedValue[] {
  const fixed: FixedValue[] = [];
  if (body === undefined) return fixed;
  const whole = input.binding('body', '');
  for (const { tokens, node, required, value, leftOut } of members) {
    const top = whole === undefined ? input.binding('body', tokens[0] ?? '') : whole;
    const isTop = tokens.length === (whole === undefined ? 1 : 0);
    if (top === undefined) continue;
    if (isTop && value !== undefined && top.arg !== undefined) input.fix(top, value);
    else if (isTop && leftOut && top.arg !== undefined) input.drop(top);
    else if (value !== undefined && top.arg !== undefined) {
      const below = whole === undefined ? tokens.slice(1) : tokens;
      fixed.push({ argument: pointerOf([top.arg, ...below]), value });
    } else if (!leftOut && value === undefined && tokens.length > 0 && required && isInternal(node, node))
      reportInternal(document, tokens.join('/'), body.pointer);
  }
  return fixed;
}

function reportInternal({ log }: ConnectorDocument, name: string, pointer: string): void {
  const message = `${name} is internal and required, and has no default: it is asked for.`;
  log.report('internal-without-default', 'info', message, pointer);
}

function placeOf({ in: place }: JsonObject): string {
  return place === 'formData' ? 'body' : String(place);
}

function pointerOf(tokens: readonly string[]): string {
  return tokens.map((token) => `/${escapeToken(token)}`).join('');
}
