import type { ApprovalState } from '../../../../gateway/src/operations/index.ts';
import type { Tone } from '../../components/badge.tsx';

interface StateWords {
  readonly label: string;
  readonly tone: Tone;
}

/** States as people read them. */
export const STATES: Readonly<Record<ApprovalState, StateWords>> = {
  pending: { label: 'Waiting', tone: 'info' },
  approved: { label: 'Approved', tone: 'good' },
  executing: { label: 'Under way', tone: 'info' },
  executed: { label: 'Carried out', tone: 'good' },
  failed: { label: 'Call failed', tone: 'bad' },
  denied: { label: 'Rejected', tone: 'warn' },
  expired: { label: 'Expired', tone: 'neutral' },
  stale: { label: 'Void', tone: 'neutral' },
};
