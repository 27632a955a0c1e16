import type { OperationHints } from './hints.ts';

const CHANGES: Readonly<Record<string, string>> = Object.freeze({
  short: 'This changes often: ask again before relying on it.',
  medium: 'This stays valid for some minutes.',
  long: 'This rarely changes: it need not be asked for again soon.',
});

/** What hints say about an answer, in sentences for the model: how long it holds, when to ask again, its form. */
export function resultNotes({ pollIntervalSeconds, cacheHint, streaming }: OperationHints): string[] {
  const notes: string[] = [];
  if (pollIntervalSeconds !== undefined) {
    notes.push(`Poll again after ${pollIntervalSeconds} s at the earliest.`);
  }
  const holds = /^(short|medium|long)\b/.exec(cacheHint?.toLowerCase() ?? '')?.[1];
  if (holds !== undefined) notes.push(CHANGES[holds]!);
  if (streaming === true) notes.push('The answer is a stream or a file.');
  return notes;
}
