import { Badge, type Tone } from '../../components/badge.tsx';
import type { CallState } from './call-log.ts';

const SHOWN: Readonly<Record<CallState, readonly [tone: Tone, word: string]>> = {
  running: ['info', 'running'],
  waiting: ['warn', 'waiting'],
  completed: ['good', 'done'],
  failed: ['bad', 'failed'],
};

/** How a call is, in a word; `waiting` is for a person's decision. */
export function CallStateBadge({ state }: { readonly state: CallState }) {
  const [tone, word] = SHOWN[state];
  return <Badge tone={tone}>{word}</Badge>;
}
