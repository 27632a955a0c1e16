import { CST, Lexer, parse } from 'yaml';
import { isObject } from '../../operations/index.ts';
import { parserWords } from '../../operations/text/parser-words.ts';
import { NOTE_BOUNDS, yamlProblem } from '../yaml-bounds.ts';
import { type Annotation, AnnotationInvalid, mergeAnnotations, readAnnotation } from './annotation.ts';
import type { Workflow, WorkflowNode } from './workflow.ts';

const STICKY_NOTE = 'n8n-nodes-base.stickyNote';
/** What the editor gives a sticky note that nobody resized, in its own units. */
const DEFAULT_SIZE = { width: 240, height: 160 };
/** How a block begins whose info string begins with `toolcrib`. */
const OPENING = /^[ \t]*(`{3,}|~{3,})[ \t]*(toolcrib(?:-[a-z]+)?)/;

/**
 * What the notes of a workflow say about one of its Webhook nodes: first the node's own note, then sticky notes that
 * frame the node, then those that frame no Webhook node at all. Throws AnnotationInvalid.
 */
export function notesOf(
  workflow: Workflow,
  node: WorkflowNode,
  webhooks: readonly WorkflowNode[],
): Annotation {
  const own = node.notes === undefined ? undefined : ownNote(node);
  const framing: Annotation[] = [];
  const general: Annotation[] = [];
  for (const note of workflow.nodes) {
    if (note.type !== STICKY_NOTE || note.disabled) continue;
    const content = note.parameters['content'];
    if (typeof content !== 'string' || !content.includes('toolcrib')) continue;
    const framed = webhooks.filter((webhook) => frames(note, webhook));
    if (framed.length > 0 && !framed.includes(node)) continue;
    const said = annotationOf(fencedBlocks(content).blocks, `the sticky note ${JSON.stringify(note.name)}`);
    (framed.length > 0 ? framing : general).push(said);
  }
  return mergeAnnotations([own, ...framing, ...general]);
}

/** Text beside the blocks of a node's note says what the node does. */
function ownNote(node: WorkflowNode): Annotation {
  const text = node.notes ?? '';
  const { blocks, rest } = fencedBlocks(text);
  const said = annotationOf(blocks, `the note of the node ${JSON.stringify(node.name)}`);
  const description = rest.trim();
  return description === '' ? said : mergeAnnotations([said, { description: description.slice(0, 4000) }]);
}

interface FencedBlock {
  readonly name: string;
  readonly content: string;
}

/** Blocks of ours, and the lines beside them. A block ends with a line of nothing but its fence. */
function fencedBlocks(text: string): { blocks: readonly FencedBlock[]; rest: string } {
  const lines = text.split('\n');
  const blocks: FencedBlock[] = [];
  const rest: string[] = [];
  /** Fences that end nowhere below. */
  const unclosed = new Set<string>();
  for (let at = 0; at < lines.length; at++) {
    const [, fence = '', name = ''] = OPENING.exec(lines[at]!) ?? [];
    const end =
      name === '' || unclosed.has(fence) ? -1 : lines.findIndex((line, i) => i > at && line.trim() === fence);
    if (end === -1) {
      if (name !== '') unclosed.add(fence);
      rest.push(lines[at]!);
    } else {
      blocks.push({ name, content: lines.slice(at + 1, end).join('\n') });
      at = end;
    }
  }
  return { blocks, rest: rest.join('\n') };
}

/** ```toolcrib holds the annotation, ```toolcrib-input and ```toolcrib-output a schema each; YAML or JSON. */
function annotationOf(blocks: readonly FencedBlock[], place: string): Annotation {
  const found: Annotation[] = [];
  for (const { name, content } of blocks) {
    const part = name.slice('toolcrib-'.length);
    if (part !== '' && part !== 'input' && part !== 'output') {
      throw new AnnotationInvalid(
        `${place} has a block ${name}; there are toolcrib, toolcrib-input and toolcrib-output.`,
      );
    }
    const value = readBlock(content, `${name} in ${place}`);
    found.push(readAnnotation(part === '' ? value : { [part]: value }, place));
  }
  return mergeAnnotations(found);
}

function readBlock(content: string, place: string): unknown {
  const excess = yamlProblem(content, NOTE_BOUNDS, { CST, Lexer });
  if (excess !== undefined) throw new AnnotationInvalid(`${place} cannot be read: ${excess}`);
  try {
    const value: unknown = parse(content, { maxAliasCount: 0 });
    if (isObject(value)) return value;
  } catch (error) {
    const reason = parserWords(error as Error);
    throw new AnnotationInvalid(`${place} is neither YAML nor JSON: ${reason}`);
  }
  throw new AnnotationInvalid(`${place} must be an object.`);
}

function frames(note: WorkflowNode, { position: [x, y] }: WorkflowNode): boolean {
  const [left, top] = note.position;
  const { width = DEFAULT_SIZE.width, height = DEFAULT_SIZE.height } = note.parameters;
  return x >= left && y >= top && x <= left + Number(width) && y <= top + Number(height);
}
