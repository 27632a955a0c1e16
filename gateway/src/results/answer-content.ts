import type { Artifact, ArtifactStore } from '../artifacts/index.ts';
import {
  type CompletedResult,
  type ConnectionLimits,
  type ContentBlock,
  type Operation,
  operationKey,
} from '../operations/index.ts';
import { cutText } from '../operations/text/cut-text.ts';
import { trimEndsOf } from '../operations/text/trim-runs.ts';
import { STORED_ANSWER_TYPE } from './shaping/stored-answer.ts';

export type ResultLimits = Pick<ConnectionLimits, 'maxTextLength'>;

/** What shaping an answer needs beside the answer. */
export interface ShapeContext {
  readonly operation: Operation;
  readonly limits: ResultLimits;
  /** Absent: what does not fit is lost, and the result says so. */
  readonly artifacts: Pick<ArtifactStore, 'put'> | undefined;
  /** URIs of what was stored on the way. */
  readonly kept?: string[];
  /** What was said where something could not be stored: it is not tried again, nor said twice. */
  readonly unkept?: string[];
}

export interface Shaped {
  readonly content: ContentBlock[];
  readonly warnings: string[];
  /** The text did not fit. */
  readonly cut: boolean;
}

/** The whole of a text that may be cut, as it is kept. */
export interface WholeAnswer {
  readonly bytes: () => Uint8Array;
  readonly mimeType: string;
  readonly name?: string | undefined;
}

/** Text within `maxTextLength` characters. What is cut off is counted, and the whole kept as an artifact. */
export function shapeText(text: string, whole: WholeAnswer, context: ShapeContext): Shaped | Promise<Shaped> {
  const { maxTextLength } = context.limits;
  if (text.length > maxTextLength) return cutAndKept(text, whole, context);
  return { content: [{ type: 'text', text }], warnings: [], cut: false };
}

async function cutAndKept(text: string, whole: WholeAnswer, context: ShapeContext): Promise<Shaped> {
  const { maxTextLength } = context.limits;
  const shown = cutText(text, maxTextLength);
  const kept = await keepWhole(whole, context);
  const warning = cutNote(text.length - shown.length, text.length, kept);
  const content: ContentBlock[] = [
    { type: 'text', text: shown },
    { type: 'text', text: `Note: ${warning}` },
  ];
  if (kept.link) content.push(kept.link);
  return { content, warnings: [warning], cut: true };
}

const CUT = 'The text was cut:';

/** Of an answer that is told in another form the note says what is not so. */
export function withoutCutNote({ warnings = [], ...result }: CompletedResult): CompletedResult {
  const others = warnings.filter((warning) => !warning.startsWith(CUT));
  return others.length === 0 ? result : { ...result, warnings: others };
}

/** Says what is missing, and where the whole of it is. */
export function cutNote(missing: number, total: number, kept: Kept): string {
  const cut = `${CUT} ${missing} of ${total} characters are not shown`;
  return kept.link ? `${cut}; the whole answer is ${kept.link.uri}.` : `${cut}. ${kept.warning}`;
}

type ResourceLink = Extract<ContentBlock, { type: 'resource_link' }>;
export type Kept =
  | { readonly link: ResourceLink; readonly warning?: never }
  | { readonly link?: never; readonly warning: string };

/** Only what was shaped here is stored as such: a service that names our type must not pass for cleaned and labelled. */
function foreignType(mimeType: string): string {
  return mimeType.trim().toLowerCase() === STORED_ANSWER_TYPE ? 'application/json' : mimeType;
}

/** Stores an answer. The call has happened: a full disk costs the artifact, never the result. */
export async function keepWhole(whole: WholeAnswer, context: ShapeContext): Promise<Kept> {
  const { artifacts, operation, kept } = context;
  if (artifacts === undefined) return unkept('Nothing stores whole answers here.', context);
  const name = whole.name ?? artifactName(operation.id, whole.mimeType);
  try {
    const artifact = await artifacts.put(whole.bytes(), {
      mimeType: foreignType(whole.mimeType),
      name,
      operation: operationKey(operation),
    });
    kept?.push(artifact.uri);
    return { link: linkTo(artifact) };
  } catch (error) {
    return unkept(`The whole answer could not be stored (${reasonOf(error)}).`, context);
  }
}

function unkept(warning: string, context: ShapeContext): Kept {
  context.unkept?.push(warning);
  return { warning };
}

/** The system's own code where there is one, such as ENOSPC, else ours: the log has the words, which name the operator's hosts. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown fault';
  const codeOf = (thrown: unknown) => (thrown as NodeJS.ErrnoException | undefined)?.code;
  return codeOf(error.cause) ?? codeOf(error) ?? error.message;
}

function linkTo({ uri, name, mimeType, size }: Artifact): ResourceLink {
  return { type: 'resource_link', uri, name, mimeType, size };
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'application/json': 'json',
  'application/pdf': 'pdf',
  'application/zip': 'zip',
  'application/gzip': 'gz',
  'application/x-tar': 'tar',
  'text/plain': 'txt',
  'text/html': 'html',
  'text/csv': 'csv',
  'text/xml': 'xml',
  'application/xml': 'xml',
};

function artifactName(operation: string, mimeType: string): string {
  const stem = trimEndsOf(operation.replace(/[^A-Za-z0-9_-]+/g, '_'), '_').slice(0, 80) || 'answer';
  const subtype = /^(?:image|audio|video)\/([a-z0-9]{2,5})$/.exec(mimeType)?.[1];
  const extension = Object.hasOwn(EXTENSIONS, mimeType) ? EXTENSIONS[mimeType] : subtype;
  return `${stem}.${extension ?? (mimeType.endsWith('+json') ? 'json' : 'bin')}`;
}
