import type { ApprovalCard, JsonObject } from '../../operations/index.ts';
import { escaped } from './html-page.ts';

export interface PageContent {
  readonly card?: ApprovalCard;
  /** Present while it can be decided. */
  readonly preview?: JsonObject;
  /** What a person made of it, which could not be taken; shown again in its place. */
  readonly written?: string;
  /** What an approval from now on would cover; absent: it is not offered. */
  readonly always?: string | undefined;
  readonly problem?: string;
}

/** The card of an approval as a page of its own; every text of others is escaped. */
export function approvalHtml({ card, preview, written, always, problem }: PageContent): string {
  const decidable = card !== undefined && card.receipt === undefined && preview !== undefined;
  return [
    problem === undefined ? '' : `<p class="problem" role="alert">${escaped(problem)}</p>`,
    card === undefined ? '' : cardHtml(card),
    decidable
      ? formHtml(card, written ?? JSON.stringify(preview, null, 2), always, written !== undefined)
      : '',
  ].join('\n');
}

function cardHtml({ title, description, metadata, receipt }: ApprovalCard): string {
  const entries = metadata.map(({ key, value }) => `<dt>${escaped(key)}</dt><dd>${escaped(value)}</dd>`);
  const end =
    receipt === undefined ? '' : `<p role="status"><strong>${escaped(receipt.summary)}</strong></p>`;
  return `<h1>${escaped(title)}</h1><p>${escaped(description)}</p><dl>${entries.join('')}</dl>${end}`;
}

/** Enter in a line of text presses the first button of its form (HTML, "implicit submission"): the reason's can only reject. */
function formHtml(
  { labels }: ApprovalCard,
  text: string,
  always: string | undefined,
  isOpen: boolean,
): string {
  const button = (value: string, label: string, more = '') =>
    `<button name="decision" value="${value}"${more}>${escaped(label)}</button>`;
  return `<form method="post">
<p>${button('approve', labels.approve)}${button('reject', labels.reject, ' form="rejection"')}${
    always === undefined ? '' : button('approve_always', always)
  }</p>
<details${isOpen ? ' open' : ''}><summary>Edit the arguments first</summary>
<p><label>Arguments as JSON; what stays as shown stays as it was called
<textarea name="arguments" spellcheck="false">
${escaped(text)}</textarea></label></p>
<p>${button('edit', 'Approve with these arguments')}</p></details>
</form>
<form method="post" id="rejection">
<p><label>Reason for a rejection <input name="reason" maxlength="500"></label></p>
</form>`;
}
