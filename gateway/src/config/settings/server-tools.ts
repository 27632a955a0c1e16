import type { OperationSelector } from '../../operations/index.ts';

/** Gemini CLI, Codex; the MCP tools of OpenAI's and Anthropic's APIs. */
const INCLUDING = /^(?:include|enabled|allowed)_?tools$/i;
/** Gemini CLI; Codex, Windsurf, Kiro and Roo Code. */
const EXCLUDING = /^(?:exclude|disabled)_?tools$/i;

/** Which tools of a server count, by their names there. */
export interface ServerTools {
  /** Absent: all; empty: none. */
  readonly include?: readonly string[];
  readonly exclude: readonly string[];
  /** What is said of a list that is none. */
  readonly problem?: string;
}

/** Whether a key of an entry is a list of tools, in the words of any client. */
export function isToolList(key: string, value: unknown): boolean {
  // of Goose, where an empty one means all
  if (key === 'available_tools') return Array.isArray(value) && value.length > 0;
  if (key !== 'tools') return EXCLUDING.test(key) || INCLUDING.test(key);
  // of Copilot CLI; Codex has settings of single tools there
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}

/** The lists of an entry; of several lists that include, a tool has to stand in each. */
export function serverTools(entry: object): ServerTools {
  let include: readonly string[] | undefined;
  const exclude: string[] = [];
  for (const [key, value] of Object.entries(entry)) {
    if (value === null || value === undefined || !isToolList(key, value)) continue;
    if (!Array.isArray(value) || !value.every((name) => typeof name === 'string' && name !== ''))
      return { exclude: [], problem: `${key} is no list of names of tools` };
    const names = [...new Set(value.map(toolName))];
    if (EXCLUDING.test(key)) exclude.push(...names);
    else if (!names.includes('*'))
      include = include === undefined ? names : include.filter((name) => names.includes(name));
  }
  return { ...(include === undefined ? {} : { include }), exclude };
}

/** No tool of it counts: then it is not started. */
export function hasNoTools(entry: object): boolean {
  const { include, exclude } = serverTools(entry);
  return include?.every((name) => exclude.includes(name)) === true || exclude.includes('*');
}

/** As a source says it. */
export function toolSelectors(entry: object): {
  readonly include: readonly OperationSelector[];
  readonly exclude: readonly OperationSelector[];
} {
  const { include = [], exclude } = serverTools(entry);
  const selectors = (names: readonly string[]) => names.map((operation) => ({ operation }));
  return { include: selectors(include), exclude: selectors(exclude) };
}

/** Gemini CLI also takes `name(…)`, which means the tool. */
function toolName(given: string): string {
  return given.replace(/\(.*$/s, '');
}
