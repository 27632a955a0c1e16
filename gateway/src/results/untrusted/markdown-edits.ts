import type { Definition, Link, LinkReference, Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import type { MarkdownPolicy } from '../../operations/index.ts';
import { bluntGuard, withoutAddresses } from './blunt-guard.ts';
import { guardHtml } from './html-tags.ts';
import { type LinkTarget, linkTarget, placeholder } from './link-target.ts';

/** One piece of the text, by offsets, and what stands there afterwards. */
interface Edit {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

export interface Edited {
  readonly text: string;
  /** How many links, images and pieces of HTML were touched. */
  readonly edits: number;
}

/** Markdown (CommonMark) with links, images, definitions and HTML as the policy wants them; code stays as it is. */
export function editMarkdown(
  text: string,
  policy: Exclude<MarkdownPolicy, 'keep'>,
  hosts: readonly string[],
): Edited {
  const nodes = nodesOf(text);
  const definitions = new Map<string, Definition>();
  for (const node of nodes) {
    if (node.type === 'definition' && !definitions.has(node.identifier))
      definitions.set(node.identifier, node);
  }
  const editor = { text, policy, hosts, definitions };
  const edits = nodes.flatMap((node) => editsOf(node, editor)).sort((a, b) => a.from - b.from || a.to - b.to);
  return { text: applied(text, edits), edits: edits.length };
}

interface Editor {
  readonly text: string;
  readonly policy: Exclude<MarkdownPolicy, 'keep'>;
  readonly hosts: readonly string[];
  readonly definitions: ReadonlyMap<string, Definition>;
}

/** In document order, without recursion: nesting is the author's. */
function nodesOf(text: string): Nodes[] {
  const nodes: Nodes[] = [];
  const open: Nodes[] = [fromMarkdown(text)];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    nodes.push(node);
    if ('children' in node)
      for (let index = node.children.length - 1; index >= 0; index--) open.push(node.children[index]!);
  }
  return nodes;
}

function editsOf(node: Nodes, editor: Editor): readonly Edit[] {
  const { text, policy, hosts, definitions } = editor;
  const [from, to] = [offset(node, 'start'), offset(node, 'end')];
  const target = (address: string | undefined) => linkTarget(address ?? '', hosts);
  switch (node.type) {
    case 'image':
      return imageEdit(from, to, node.alt ?? '', target(node.url), policy);
    case 'imageReference':
      return imageEdit(from, to, node.alt ?? '', target(definitions.get(node.identifier)?.url), policy);
    case 'link':
      return linkEdits(node, target(node.url), editor);
    case 'linkReference':
      return linkEdits(node, target(definitions.get(node.identifier)?.url), editor);
    case 'definition':
      return target(node.url).allowed ? [] : [{ from, to, text: '' }];
    case 'html':
      return changed(from, to, text, (part) => bluntLinks(guardHtml(part, policy, hosts)));
    case 'inlineCode':
      // a table's cell ends at a bar, also within what is a code span elsewhere (GFM §4.10)
      return text.slice(from, to).includes('|')
        ? changed(from, to, text, (part) => bluntGuard(part, policy))
        : [];
    case 'text':
      return changed(from, to, text, (part) => {
        const quiet = part.includes('<') ? guardHtml(part, policy, hosts) : part;
        return policy === 'strip' && quiet.includes('://') ? withoutAddresses(quiet, hosts) : quiet;
      });
    default:
      return [];
  }
}

/** Some renderers read Markdown within HTML. */
function bluntLinks(html: string): string {
  return html.replace(/!(?=\[)/g, '').replace(/\](?=[([:])/g, '] ');
}

function imageEdit(
  from: number,
  to: number,
  alt: string,
  target: LinkTarget,
  policy: MarkdownPolicy,
): Edit[] {
  if (target.allowed && target.host !== '') return [];
  return [{ from, to, text: policy === 'strip' ? '' : placeholder('image', alt, target.host) }];
}

/** What is linked stays; where to stands behind it, unless it is the same. */
function linkEdits(node: Link | LinkReference, target: LinkTarget, { text, policy }: Editor): Edit[] {
  if (target.allowed) return [];
  const [from, to] = [offset(node, 'start'), offset(node, 'end')];
  const [first, last] = [node.children[0], node.children.at(-1)];
  if (first === undefined || last === undefined || text[from] === '<') {
    return [{ from, to, text: policy === 'strip' ? target.host : target.inert }];
  }
  const [start, end] = [offset(first, 'start'), offset(last, 'end')];
  const shown = policy === 'strip' || target.inert === '' ? '' : ` (${target.inert})`;
  return [
    { from, to: start, text: '' },
    { from: end, to, text: shown },
  ];
}

function changed(from: number, to: number, text: string, change: (part: string) => string): Edit[] {
  const before = text.slice(from, to);
  const after = change(before);
  return after === before ? [] : [{ from, to, text: after }];
}

function offset(node: Nodes, which: 'start' | 'end'): number {
  return node.position![which].offset!;
}

function applied(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let at = 0;
  let last = '';
  const push = (part: string): void => {
    if (part === '') return;
    // `[a]` and `(b)` that came together would be a link
    if (last === ']' && part.startsWith('(')) parts.push(' ');
    parts.push(part);
    last = part.at(-1)!;
  };
  for (const { from, to, text: piece } of edits) {
    if (from < at) continue;
    push(text.slice(at, from));
    push(piece);
    at = to;
  }
  push(text.slice(at));
  return parts.join('');
}
