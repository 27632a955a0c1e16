import type { ApprovalState } from '../../../../gateway/src/operations/index.ts';
import type { Tone } from '../../components/badge.tsx';

interface StateWords {
  readonly label: string;
  readonly tone: Tone;
}

/** States as people read them. */
export const STATES: Readonly<Record<ApprovalState, StateWords>> = {
  pending: { label: 'waiting', tone: 'info' },
  approved: { label: 'approved', tone: 'good' },
  executing: { label: 'under way', tone: 'info' },
  executed: { label: 'carried out', tone: 'good' },
  failed: { label: 'call failed', tone: 'bad' },
  denied: { label: 'rejected', tone: 'warn' },
  expired: { label: 'expired', tone: 'neutral' },
  stale: { label: 'void', tone: 'neutral' },
};
