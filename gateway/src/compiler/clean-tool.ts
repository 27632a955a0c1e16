import { canonicalHash, type Json, type JsonObject, type Tool } from '../operations/index.ts';
import { cleanText } from '../operations/text/clean-text.ts';

/** UTF-16 units of a description, of a title, and of any other prose. */
const MAX_LENGTH = { description: 16_384, title: 256, prose: 8192 } as const;
/** Levels of nesting that are looked into; what lies deeper is cut off. */
const MAX_DEPTH = 256;
const MAX_CHANGES = 20;

/** Values of the service: cleaned of hidden characters, otherwise left alone, with everything below them. */
const VALUES: ReadonlySet<string> = new Set([
  'enum',
  'const',
  'default',
  'required',
  'dependentRequired',
  '$ref',
  'name',
]);
/** Members are named by the document: there a key says nothing about its value. */
const MAPS: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions', 'dependentSchemas']);
/** Regular expressions keep their meaning: hidden characters are spelled as escapes. */
const PATTERNS: ReadonlySet<string> = new Set(['pattern', 'patternProperties']);
const HIDDEN_IN_PATTERN =
  /[\u0000-\u001f\u007f-\u009f\u200b-\u200d\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e01ef}]/gu;

/** No rule below touches such a text, whatever its role. */
const PLAIN_TEXT = /^[ -;=-Z\\-~]*$/;

/** Levels of nesting cannot be more than opening brackets. */
const MANY_BRACKETS = new RegExp(`^(?:[^{[]*[{[]){${MAX_DEPTH}}`);
/**
 * In JSON text: anything but printable ASCII and typographic marks, `<`, escaped controls, `[INST]` and its like, and
 * special members.
 */
const DOUBTFUL_JSON =
  /[^ -;=-~\u2010-\u2026]|\\[ubf]|\[(?: |\/|\\[ntr])*(?:inst|sys|available_tools|tool_|user_prompt)|"pattern|x-mcp-header|"title":"(?:[^"\\]|\\.){256}/i;

/**
 * Whether the JSON text of a tool proves that no rule touches it: most tools, at a fraction of what looking at
 * each string costs. False only means that it has to be looked at.
 */
function isPlainJson(json: string): boolean {
  return json.length <= MAX_LENGTH.prose && !DOUBTFUL_JSON.test(json) && !MANY_BRACKETS.test(json);
}

/** How a string is treated, by the key it stands under. */
type Role = 'description' | 'title' | 'prose' | 'value' | 'pattern' | 'map';

interface Cleaned {
  readonly value: Json;
  readonly changes: readonly string[];
}

const NO_CHANGES: readonly string[] = [];

export interface CleanedTool {
  readonly tool: Tool;
  readonly changes: string[];
  /** The tool's JSON text where it had to be made anyway. */
  readonly json?: string;
}

/**
 * Cleans whole tool definitions: every string and every key. Parts that tools share (by reference) are worked on
 * once for one cleaner. What is clean comes back as the same object.
 */
export function createToolCleaner(): (tool: Tool) => CleanedTool {
  const memo: Memo = new Map();
  return (tool) => {
    const json = textOf(tool);
    if (json !== undefined && isPlainJson(json)) return { tool, changes: [], json };
    const { value, changes } = cleanValue(tool as unknown as Json, 'prose', '', 0, memo);
    const listed = changes.slice(0, MAX_CHANGES);
    if (changes.length > MAX_CHANGES) listed.push(`and ${changes.length - MAX_CHANGES} more`);
    return { tool: value as unknown as Tool, changes: listed };
  };
}

/** One tool by itself; see `createToolCleaner`. */
export function cleanTool(tool: Tool): Omit<CleanedTool, 'json'> {
  const { tool: clean, changes } = createToolCleaner()(tool);
  return { tool: clean, changes };
}

/** Whether a tool name may be published: plain ASCII identifier text, so that no look-alike passes. */
export function checkName(name: string): { quarantine: boolean } {
  return { quarantine: !/^[A-Za-z0-9_.-]{1,128}$/.test(name) };
}

/** Whether two definitions of one tool differ in anything but key order and number spelling. */
export function compareTool(before: object, after: object): { quarantine: boolean } {
  return { quarantine: canonicalHash(before) !== canonicalHash(after) };
}

/** Undefined for what is nested too deeply to be written; cleaning cuts it off. */
function textOf(tool: Tool): string | undefined {
  try {
    return JSON.stringify(tool);
  } catch {
    return undefined;
  }
}

type Memo = Map<Role, Map<object, Cleaned>>;

function cleanValue(value: Json, role: Role, field: string, depth: number, memo: Memo): Cleaned {
  if (typeof value === 'string') return cleanString(value, role, field);
  if (value === null || typeof value !== 'object') return { value, changes: NO_CHANGES };
  if (depth > MAX_DEPTH) return { value: {}, changes: [`nested deeper than ${MAX_DEPTH} levels: cut off`] };
  let known = memo.get(role);
  if (known === undefined) {
    known = new Map();
    memo.set(role, known);
  }
  let cleaned = known.get(value);
  if (cleaned === undefined) {
    cleaned = Array.isArray(value)
      ? cleanItems(value, role, field, depth, memo)
      : cleanMembers(value, role, depth, memo);
    known.set(value, cleaned);
  }
  return cleaned;
}

function cleanItems(items: Json[], role: Role, field: string, depth: number, memo: Memo): Cleaned {
  let copy: Json[] | undefined;
  let changes = NO_CHANGES;
  for (let index = 0; index < items.length; index++) {
    const item = items[index]!;
    const cleaned = cleanValue(item, role, field, depth + 1, memo);
    if (cleaned.changes.length > 0) changes = [...changes, ...cleaned.changes];
    if (cleaned.value === item) continue;
    copy ??= [...items];
    copy[index] = cleaned.value;
  }
  return { value: copy ?? items, changes };
}

function cleanMembers(object: JsonObject, role: Role, depth: number, memo: Memo): Cleaned {
  const keys = Object.keys(object);
  /** Only made once something changed: then it holds every member so far. */
  let members: Map<string, Json> | undefined;
  let changes = NO_CHANGES;
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]!;
    const member = object[key]!;
    if (isForeignHeader(key, member)) {
      members ??= membersBefore(object, keys, index);
      changes = [...changes, `${key} removed`];
      continue;
    }
    const cleaned = cleanValue(member, roleOf(key, member, role), key, depth + 1, memo);
    let name = key;
    if (!PLAIN_TEXT.test(key)) {
      const { value, changes: more } = cleanString(key, role === 'pattern' ? 'pattern' : 'value', 'key');
      name = value as string;
      if (more.length > 0) changes = [...changes, ...more];
    }
    if (cleaned.changes.length > 0) changes = [...changes, ...cleaned.changes];
    if (name !== key || cleaned.value !== member) members ??= membersBefore(object, keys, index);
    if (name !== key && (Object.hasOwn(object, name) || members?.has(name))) {
      changes = [...changes, `key ${JSON.stringify(name)} stood twice once cleaned: the hidden one removed`];
    } else members?.set(name, cleaned.value);
  }
  return { value: members === undefined ? object : Object.fromEntries(members), changes };
}

function membersBefore(object: JsonObject, keys: readonly string[], end: number): Map<string, Json> {
  const members = new Map<string, Json>();
  for (let index = 0; index < end; index++) members.set(keys[index]!, object[keys[index]!]!);
  return members;
}

/** MCP lets a server's own schema route an argument into a header; a foreign definition may not. */
function isForeignHeader(key: string, member: Json): boolean {
  return key.length === 12 && key.toLowerCase() === 'x-mcp-header' && typeof member !== 'object';
}

function roleOf(key: string, member: Json, inherited: Role): Role {
  if (inherited === 'value') return 'value';
  const isText = typeof member === 'string';
  if (inherited === 'map' || (inherited === 'pattern' && !isText)) return 'prose';
  if (VALUES.has(key)) return 'value';
  if (PATTERNS.has(key)) return 'pattern';
  if (MAPS.has(key) && !isText) return 'map';
  return isText && (key === 'description' || key === 'title') ? key : 'prose';
}

function cleanString(text: string, role: Role, field: string): Cleaned {
  if (text.length <= MAX_LENGTH.title && PLAIN_TEXT.test(text)) return { value: text, changes: NO_CHANGES };
  if (role === 'pattern') {
    const spelled = text.replace(HIDDEN_IN_PATTERN, escapeCharacter);
    return {
      value: spelled,
      changes: spelled === text ? NO_CHANGES : [`${field}: hidden characters spelled as escapes`],
    };
  }
  const cleaned =
    role === 'value'
      ? cleanText(text, { field, tags: false })
      : cleanText(text, { field, maxLength: role === 'map' ? MAX_LENGTH.prose : MAX_LENGTH[role] });
  return { value: cleaned.text, changes: cleaned.changes };
}

function escapeCharacter(character: string): string {
  const hex = character.codePointAt(0)!.toString(16);
  return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
}
