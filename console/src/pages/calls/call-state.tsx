import { Badge, type Tone } from '../../components/badge.tsx';
import type { CallState } from './call-row.ts';

const SHOWN: Readonly<Record<CallState, readonly [tone: Tone, word: string]>> = {
  running: ['info', 'running'],
  waiting: ['warn', 'waiting'],
  completed: ['good', 'done'],
  asked: ['warn', 'asked'],
  failed: ['bad', 'failed'],
};

interface CallStateBadgeProps {
  readonly state: CallState;
  /** Nothing was sent. */
  readonly dryRun?: boolean | undefined;
}

/** How a call is, in a word; `waiting` is for a person's decision, `asked` ended with the question. */
export function CallStateBadge({ state, dryRun = false }: CallStateBadgeProps) {
  const [tone, word] = dryRun && state === 'completed' ? (['neutral', 'dry run'] as const) : SHOWN[state];
  return <Badge tone={tone}>{word}</Badge>;
}
