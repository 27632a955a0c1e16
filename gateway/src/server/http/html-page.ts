import { randomBytes } from 'node:crypto';
import { acceptedRanges } from './accepted-ranges.ts';

export interface HtmlPage {
  readonly title: string;
  /** HTML of `main`: texts of others went through `escaped`. */
  readonly main: string;
  readonly status?: number;
  readonly variant?: string;
}

const STYLE = `
:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b;background:#fff}
h1{font-size:1.3rem}.destructive h1{color:#a40000}dt{font-weight:600}dd{margin:0 0 .5rem;white-space:pre-wrap;word-break:break-word}
button{font:inherit;padding:.4rem 1rem;margin:0 .5rem .5rem 0}textarea,input{font:inherit;width:100%;box-sizing:border-box}
textarea{font-family:monospace;min-height:8rem}.problem{color:#a40000}
@media(prefers-color-scheme:dark){body{color:#eee;background:#161616}.destructive h1,.problem{color:#ff8a80}}`;

/** A page that works without the console and without script. */
export function htmlPage({ title, main, status = 200, variant = 'default' }: HtmlPage): Response {
  const nonce = randomBytes(16).toString('base64');
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex"><title>${escaped(title)}</title>
<style nonce="${escaped(nonce)}">${STYLE}</style></head>
<body class="${escaped(variant)}"><main>
${main}
</main></body></html>
`;
  return new Response(html, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
      // with no-referrer browsers send forms with `Origin: null`, which is no origin of ours
      'referrer-policy': 'same-origin',
    },
  });
}

/** Whether a person's browser asks, which names pages. */
export function takesPage({ headers }: Request): boolean {
  return acceptedRanges(headers.get('accept') ?? '').get('text/html') ?? false;
}

/** A text of ours or of others: what stands between backticks is a command or a name. */
export function words(text: string): string {
  return escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
