import type { fromMarkdown } from 'mdast-util-from-markdown';
import { isObject, type Json, type JsonObject } from '../../../operations/index.ts';

type Root = ReturnType<typeof fromMarkdown>;
type RootContent = Root['children'][number];
type Heading = Extract<RootContent, { type: 'heading' }>;
type Code = Extract<RootContent, { type: 'code' }>;

/** What tool.md must have, in any order. */
export const SECTIONS = ['Purpose', 'Inputs', 'Outputs', 'Examples'] as const;
export type Section = (typeof SECTIONS)[number];

/** A call that tool.md shows, and what it says comes of it. */
export interface GuideExample {
  readonly title: string;
  /** Line of the input. */
  readonly line: number;
  readonly input: JsonObject;
  /** Absent: any answer that fits the output schema. */
  readonly expected?: { readonly output: Json } | { readonly error: string };
}

export interface GuideProblem {
  readonly line: number;
  readonly message: string;
}

export interface ToolGuide {
  /** The first heading, level 1. */
  readonly title?: string;
  /** Line and text of each section that is there; code as written. */
  readonly sections: ReadonlyMap<Section, { readonly line: number; readonly text: string }>;
  readonly examples: readonly GuideExample[];
  readonly problems: readonly GuideProblem[];
}

/**
 * Reads tool.md: `# name`, then sections of level 2. An example is a block ` ```json input ` and after it, up to the
 * next input, ` ```json output ` (the exact answer) or ` ```text error ` (an error code); neither: schema only.
 */
export async function readGuide(text: string): Promise<ToolGuide> {
  const { fromMarkdown } = await import('mdast-util-from-markdown');
  const { children } = fromMarkdown(text);
  const title = children.find((node): node is Heading => node.type === 'heading' && node.depth === 1);
  const sections = new Map<Section, { line: number; text: string }>();
  let examples: readonly RootContent[] = [];
  for (const [index, node] of children.entries()) {
    if (node.type !== 'heading' || node.depth !== 2) continue;
    const name = SECTIONS.find((section) => section.toLowerCase() === plain(node).trim().toLowerCase());
    if (name === undefined) continue;
    const rest = children.slice(index + 1);
    const end = rest.findIndex((one) => one.type === 'heading' && one.depth <= 2);
    const body = end < 0 ? rest : rest.slice(0, end);
    sections.set(name, { line: lineOf(node), text: body.map(plain).join('\n') });
    if (name === 'Examples') examples = body;
  }
  return {
    ...(title === undefined ? {} : { title: plain(title).trim() }),
    sections,
    ...readExamples(examples),
  };
}

function readExamples(nodes: readonly RootContent[]): Pick<ToolGuide, 'examples' | 'problems'> {
  const examples: GuideExample[] = [];
  const problems: GuideProblem[] = [];
  let title = '';
  for (const node of nodes) {
    if (node.type === 'heading') title = plain(node).trim();
    if (node.type !== 'code') continue;
    const role = node.meta?.trim();
    const line = lineOf(node);
    const last = examples.at(-1);
    if (role === 'input') {
      const input = jsonOf(node, problems);
      if (isObject(input)) examples.push({ title: title || `example ${examples.length + 1}`, line, input });
      else if (input !== undefined) problems.push({ line, message: 'The input of an example is an object.' });
    } else if (
      (role === 'output' || role === 'error') &&
      (last === undefined || last.expected !== undefined)
    ) {
      problems.push({ line, message: `This ${role} follows no input.` });
    } else if (role === 'output' && last !== undefined) {
      const output = jsonOf(node, problems);
      if (output !== undefined) examples.splice(-1, 1, { ...last, expected: { output } });
    } else if (role === 'error' && last !== undefined) {
      examples.splice(-1, 1, { ...last, expected: { error: node.value.trim() } });
    }
  }
  return { examples, problems };
}

function jsonOf(node: Code, problems: GuideProblem[]): Json | undefined {
  try {
    return JSON.parse(node.value) as Json;
  } catch (error) {
    problems.push({ line: lineOf(node), message: `This is no JSON: ${(error as Error).message}` });
    return undefined;
  }
}

function plain(node: Root | RootContent): string {
  if (node.type === 'inlineCode') return `\`${node.value}\``;
  if ('value' in node) return node.value;
  return 'children' in node ? node.children.map(plain).join(node.type === 'paragraph' ? '' : ' ') : '';
}

function lineOf({ position }: RootContent): number {
  return position?.start.line ?? 1;
}
