import { formQuestion, QUESTION, urlQuestion, waysToAsk } from '../../../approvals/elicitation.ts';
import type { StoredApproval } from '../../../approvals/records.ts';
import type { Result } from '../../../operations/index.ts';
import type { Asked } from './asked.ts';
import { sealInner } from './request-state.ts';

/** What the client is asked to ask its person; undefined: it cannot, or the policy says that it must not. */
export async function questionFor(at: Asked, approval: StoredApproval): Promise<Result | undefined> {
  const { call, approvals } = at;
  const { elicitation } = approvals.policy();
  const { clientCapabilities, decidesApprovals = false } = call.channel;
  const ways = elicitation === 'off' || decidesApprovals ? undefined : waysToAsk(clientCapabilities);
  if (ways === undefined) return undefined;
  const base = ways.url && (elicitation === 'url' || !ways.form) ? at.linkBase?.() : undefined;
  if (base === undefined && !ways.form) return undefined;
  const request =
    base === undefined
      ? formQuestion(approval)
      : urlQuestion(approval, new URL(await approvals.linkPath(approval), base).href);
  return {
    kind: 'input_required',
    requests: { [QUESTION]: request },
    state: sealInner({ id: approval.id, asked: base === undefined ? 'form' : 'url' }),
  };
}
