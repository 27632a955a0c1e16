import type { ApprovalCard, JsonObject } from '../../operations/index.ts';
import { escaped } from './html-page.ts';

export interface PageContent {
  readonly card?: ApprovalCard;
  /** Present while it can be decided. */
  readonly preview?: JsonObject;
  /** What an approval from now on would cover; absent: it is not offered. */
  readonly always?: string | undefined;
  readonly problem?: string;
}

/** The card of an approval as a page of its own; every text of others is escaped. */
export function approvalHtml({ card, preview, always, problem }: PageContent): string {
  const decidable = card !== undefined && card.receipt === undefined && preview !== undefined;
  return [
    problem === undefined ? '' : `<p class="problem" role="alert">${escaped(problem)}</p>`,
    card === undefined ? '' : cardHtml(card),
    decidable ? formHtml(card, preview, always) : '',
  ].join('\n');
}

function cardHtml({ title, description, metadata, receipt }: ApprovalCard): string {
  const entries = metadata.map(({ key, value }) => `<dt>${escaped(key)}</dt><dd>${escaped(value)}</dd>`);
  const end =
    receipt === undefined ? '' : `<p role="status"><strong>${escaped(receipt.summary)}</strong></p>`;
  return `<h1>${escaped(title)}</h1><p>${escaped(description)}</p><dl>${entries.join('')}</dl>${end}`;
}

function formHtml({ labels }: ApprovalCard, preview: JsonObject, always: string | undefined): string {
  const button = (value: string, label: string) =>
    `<button name="decision" value="${value}">${escaped(label)}</button>`;
  return `<form method="post">
<p>${button('approve', labels.approve)}${button('reject', labels.reject)}${
    always === undefined ? '' : button('approve_always', always)
  }</p>
<details><summary>Edit the arguments first</summary>
<p><label>Arguments as JSON; what stays as shown stays as it was called
<textarea name="arguments" spellcheck="false">${escaped(JSON.stringify(preview, null, 2))}</textarea></label></p>
<p>${button('edit', 'Approve with these arguments')}</p></details>
<p><label>Reason for a rejection <input name="reason" maxlength="500"></label></p>
</form>`;
}
