import type { VisibleOperation } from '../../operations/index.ts';
import { requiredOf } from '../calling/describe-arguments.ts';
import { type NameFamily, namesOf, singleNames } from '../calling/name-families.ts';
import { cutWords, purposeOf } from './purpose.ts';

/** Characters of a line: eight of them stay below 400 tokens. */
const LINE = 156;
/** Characters that the purpose has at least. */
const PURPOSE = 44;
const ARGUMENTS = 50;
const PLACE = 64;

/** `getPet(id) GET /pets/{id}: Reads one pet`: name, required arguments, place, purpose. */
export function hitLine(operation: VisibleOperation): string {
  const { name, source, facts, tool } = operation;
  const needed = listed(requiredOf(tool.inputSchema), ARGUMENTS);
  const place = facts.http ? `${facts.http.method} ${cutMiddle(facts.http.path, PLACE)}` : `[${source}]`;
  const head = `${name}${needed === '' ? '' : `(${needed})`} ${place}`;
  const purpose = purposeOf(operation, Math.max(PURPOSE, LINE - head.length));
  return purpose === '' || purpose === place ? head : `${head}: ${purpose}`;
}

export function hitLines(operations: readonly VisibleOperation[]): string {
  return operations.map(hitLine).join('\n');
}

/** `id, name +2`: as many names as fit, and how many there are besides. */
export function listed(names: readonly string[], length: number): string {
  return listedFamilies(singleNames(names), length);
}

/** The same of names that are told together. */
export function listedFamilies(families: readonly NameFamily[], length: number): string {
  let text = '';
  for (const [index, family] of families.entries()) {
    const next = index === 0 ? cutWords(family.text, length) : `${text}, ${family.text}`;
    if (next.length > length) return `${text} +${namesOf(families.slice(index))}`;
    text = next;
  }
  return text;
}

/** The end of a path says most of what it leads to. */
function cutMiddle(path: string, length: number): string {
  if (path.length <= length) return path;
  const head = Math.floor(length / 3);
  return `${path.slice(0, head)}…${path.slice(path.length - (length - head - 1))}`;
}
