import {
  type Call,
  type CompletedResult,
  operationKey,
  sourceOfKey,
  storedIdOf,
} from '../../operations/index.ts';
import type { Reader, ShapingOptions } from './shaping-options.ts';
import {
  decodeStoredAnswer,
  encodeStoredAnswer,
  isText,
  STORED_ANSWER_TYPE,
  type StoredAnswer,
} from './stored-answer.ts';

/** What becomes of one answer in the store. */
export interface AnswerKeeper {
  /** URIs of what was stored. */
  kept(): readonly string[];
  /** The answer's id; undefined where it could not be stored. */
  store(): Promise<string | undefined>;
}

/** Stores an answer once, under the principal. A full disk costs the stored answer, never the result. */
export function keeper(
  options: ShapingOptions,
  { principal, operation }: Call,
  answer: StoredAnswer,
  notes: string[],
): AnswerKeeper {
  let uri: string | undefined;
  return {
    kept: (): readonly string[] => (uri === undefined ? [] : [uri]),
    async store(): Promise<string | undefined> {
      try {
        const artifact = await options.artifacts(principal).put(encodeStoredAnswer(answer), {
          mimeType: STORED_ANSWER_TYPE,
          name: `${operation.id.replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 80)}.json`,
          operation: operationKey(operation),
        });
        uri = artifact.uri;
        return artifact.id;
      } catch {
        notes.push('The whole answer could not be stored: there is no response_id.');
        return undefined;
      }
    },
  };
}

/** How to read on in a text that was cut and kept whole. */
export function readingOn({ content }: CompletedResult): readonly string[] {
  const link = content.find((block) => block.type === 'resource_link' && isText(block.mimeType));
  const id = link?.type === 'resource_link' ? storedIdOf(link.uri) : undefined;
  if (id === undefined) return [];
  return [
    `Its lines are read by response_id ${id} (query_result, or the call tool), with filters and limit.`,
  ];
}

/** Undefined for what this principal has no stored answer of. */
export async function readStored(
  { artifacts, delivered: announce }: ShapingOptions,
  reader: Reader,
  responseId: string,
): Promise<StoredAnswer | undefined> {
  const artifact = await artifacts(reader.principal).get(responseId);
  const stored = artifact && decodeStoredAnswer(artifact);
  if (artifact === undefined || stored === undefined) return undefined;
  await announce?.(stored.source ?? sourceOfKey(artifact.operation), reader);
  return stored;
}
