import { decodeText, type EgressResponse } from '../../egress/index.ts';
import { ToolcribError } from '../../errors.ts';

export type PageKind = 'html' | 'text' | 'json';

/** What a page is by its Content-Type; bytes without one are looked at. Throws `upstream_failed` for all but text. */
export function kindOf({ headers, body, url }: EgressResponse): PageKind {
  const [type = ''] = (headers['content-type'] ?? '').toLowerCase().split(';');
  const essence = type.trim();
  if (essence === 'text/html' || essence === 'application/xhtml+xml') return 'html';
  if (essence === 'application/json' || essence.endsWith('+json')) return 'json';
  if (essence.startsWith('text/') || essence === 'application/xml' || essence.endsWith('+xml')) {
    return essence === 'image/svg+xml' ? refuse(url, essence) : 'text';
  }
  if (essence !== '') return refuse(url, essence);
  if (body.subarray(0, 5).toString() === '%PDF-' || body.subarray(0, 1024).includes(0)) {
    return refuse(url, 'unknown type');
  }
  return /<(?:!doctype|html|body|head|div|p)[\s>]/i.test(
    Buffer.from(body.subarray(0, 1024)).toString('latin1'),
  )
    ? 'html'
    : 'text';
}

function refuse(url: string, type: string): never {
  throw new ToolcribError(
    'upstream_failed',
    `${url} is ${type.slice(0, 100)}, and only text and HTML pages are read.`,
    {
      details: { kind: 'content_type', contentType: type.slice(0, 100) },
      next: 'Ask for a page of text or HTML; a scrape provider such as jina reads PDF.',
    },
  );
}

/** The body as text: byte order mark, Content-Type, then `<meta charset>` within the first 1,024 bytes (HTML §13.2.3.2). */
export function textOf({ headers, body }: EgressResponse, kind: PageKind): string {
  const type = headers['content-type'];
  if (kind !== 'html' || /;\s*charset\s*=/i.test(type ?? '')) return decodeText(body, type);
  const head = Buffer.from(body.subarray(0, 1024)).toString('latin1');
  const charset = /<meta[^>]{0,300}?charset\s*=\s*["']?\s*([A-Za-z0-9_:.-]{1,40})/i.exec(head)?.[1];
  return decodeText(body, charset === undefined ? type : `text/html; charset=${charset}`);
}
