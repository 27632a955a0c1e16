import type { StoredApproval } from '../../../approvals/records.ts';
import { asToolcribError } from '../../../errors.ts';
import type { CompletedResult, Result } from '../../../operations/index.ts';

/** In the result's meta: the approval with whose arguments a call ran. */
const EDITED_META = 'toolcrib/edited';

/** A dry run asks nobody, and says who would be asked. */
export function wouldAsk(result: Result, reason: string | undefined): Result {
  if (reason === undefined || result.kind !== 'completed') return result;
  return withWarning(result, `A person would have to approve this call first: ${reason}`);
}

/** The caller must know that not its own arguments were used. */
export function edited(result: CompletedResult, { id }: StoredApproval): CompletedResult {
  const warning = 'A person changed the arguments before approving; the call ran with theirs.';
  const noted = withWarning(result, warning);
  return {
    ...noted,
    content: [...noted.content, { type: 'text', text: `Note: ${warning}` }],
    meta: { ...result.meta, [EDITED_META]: { approval: id } },
  };
}

/** What was done stays done: its answer goes out. The approval stays in use and is ended later. */
export function unrecorded(result: CompletedResult, error: unknown): CompletedResult {
  const { code } = asToolcribError(error);
  return withWarning(result, `The end of its approval could not be recorded (${code}).`);
}

function withWarning(result: CompletedResult, warning: string): CompletedResult {
  return { ...result, warnings: [...(result.warnings ?? []), warning] };
}
