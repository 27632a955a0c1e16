import type { ApprovalCard, JsonObject } from '../../operations/index.ts';

export interface PageContent {
  readonly card?: ApprovalCard;
  /** Present while it can be decided. */
  readonly preview?: JsonObject;
  /** What an approval from now on would cover; absent: it is not offered. */
  readonly always?: string | undefined;
  readonly problem?: string;
  /** Of the one style element that the page may have. */
  readonly nonce: string;
}

const STYLE = `
body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b;background:#fff}
h1{font-size:1.3rem}.destructive h1{color:#a40000}dt{font-weight:600}dd{margin:0 0 .5rem;white-space:pre-wrap;word-break:break-word}
button{font:inherit;padding:.4rem 1rem;margin:0 .5rem .5rem 0}textarea,input{font:inherit;width:100%;box-sizing:border-box}
textarea{font-family:monospace;min-height:8rem}.problem{color:#a40000}
@media(prefers-color-scheme:dark){body{color:#eee;background:#161616}.destructive h1,.problem{color:#ff8a80}}`;

/** The card of an approval as a page of its own, without script; every text of others is escaped. */
export function approvalHtml({ card, preview, always, problem, nonce }: PageContent): string {
  const decidable = card !== undefined && card.receipt === undefined && preview !== undefined;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><title>${escaped(card?.title ?? 'Approval')}</title>
<style nonce="${escaped(nonce)}">${STYLE}</style></head>
<body class="${card?.variant ?? 'default'}"><main>
${problem === undefined ? '' : `<p class="problem" role="alert">${escaped(problem)}</p>`}
${card === undefined ? '' : cardHtml(card)}
${decidable ? formHtml(card, preview, always) : ''}
</main></body></html>
`;
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

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
