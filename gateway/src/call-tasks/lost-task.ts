import { ERRORS } from '../errors.ts';
import type { Task } from './task.ts';

/** JSON-RPC 2.0 §5.1. */
const INTERNAL_ERROR = -32603;
/** A failed task stays as long as one whose process ended in time, milliseconds. */
const KEPT_MS = 3_600_000;
const MESSAGE = 'The gateway stopped while the call ran; it may have taken effect.';

/** A task that nobody carries out any more. */
export function lostTask({ id, createdAt }: Task, now: number): Task {
  const { next } = ERRORS.outcome_unknown;
  return {
    id,
    status: 'failed',
    message: MESSAGE,
    createdAt,
    updatedAt: now,
    expiresAt: now + KEPT_MS,
    content: {
      code: INTERNAL_ERROR,
      message: `outcome_unknown: ${MESSAGE}`,
      data: { code: 'outcome_unknown', next },
    },
  };
}
