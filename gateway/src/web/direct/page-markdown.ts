import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import TurndownService from 'turndown';
import { trimLineEnds } from '../../operations/text/trim-runs.ts';
import type { DomNode } from './dom-node.ts';
import { tableRule } from './table-markdown.ts';

/** What can be read on a page. */
export interface ReadablePage {
  readonly title: string;
  readonly content: string;
  readonly byline?: string;
  readonly publishedTime?: string;
  readonly warnings: readonly string[];
}

/** Beyond it a page is no text for reading. */
const MAX_ELEMENTS = 100_000;
/** Never read by a person, so not by a model: what is hidden is where instructions for machines are planted. */
const UNREAD =
  'script,style,noscript,template,iframe,object,embed,svg,canvas,audio,video,dialog,[hidden],[aria-hidden="true"]';
const HIDDEN_STYLE =
  /display\s*:\s*none|visibility\s*:\s*hidden|(?:font-size|opacity)\s*:\s*0(?![.\d]*[1-9])/i;
/** Hidden until its scripts have run, on many pages. */
const WHOLE_PAGE: ReadonlySet<string> = new Set(['HTML', 'BODY', 'MAIN']);
/** Left out where Readability finds no article and the whole page is taken. */
const FURNITURE = 'nav,header nav,footer,aside,form,button,input,select,textarea';

/** The readable part of an HTML page as Markdown, links absolute. Runs in a worker: hostile pages take long. */
export function pageMarkdown(html: string, url: string): ReadablePage {
  const tags = tagCount(html);
  if (tags > 2 * MAX_ELEMENTS) throw new RangeError(`The page has ${tags} tags.`);
  const whole = /<html[\s>]/i.test(html)
    ? html
    : `<!doctype html><html><head></head><body>${html}</body></html>`;
  const document = (parseHTML(whole) as unknown as { document: DomNode }).document;
  const title = (document.querySelector('title')?.textContent ?? '').trim();
  prepare(document, url);
  const article = readable(document);
  if (article !== undefined) {
    const { content, byline, publishedTime } = article;
    const markdown = toMarkdown(content);
    if (markdown !== '') {
      return {
        title: (article.title ?? '').trim() || title,
        content: markdown,
        ...(byline ? { byline: byline.trim() } : {}),
        ...(publishedTime ? { publishedTime } : {}),
        warnings: [],
      };
    }
  }
  const body = document.querySelector('body');
  for (const node of [...(body?.querySelectorAll(FURNITURE) ?? [])]) node.remove();
  const content = body === null ? '' : toMarkdown(body);
  return { title, content, warnings: ['No article was recognised; this is the text of the whole page.'] };
}

/** Cheap, before anything is built from it. */
function tagCount(html: string): number {
  let count = 0;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) count++;
  return count;
}

function prepare(document: DomNode, url: string): void {
  const elements = [...document.querySelectorAll('*')];
  if (elements.length > MAX_ELEMENTS) throw new RangeError(`The page has ${elements.length} elements.`);
  const named = document.querySelector('base[href]')?.getAttribute('href');
  const base = (named && URL.parse(named, url)?.href) || url;
  for (const element of elements) {
    const style = element.getAttribute('style');
    if (style !== null && HIDDEN_STYLE.test(style) && !WHOLE_PAGE.has(element.nodeName)) element.remove();
    absolute(element, 'href', base);
    absolute(element, 'src', base);
  }
  // JSON-LD says who wrote a page and when: Readability reads it and drops scripts by itself.
  const unread = UNREAD.replace('script,', 'script:not([type="application/ld+json"]),');
  for (const element of [...document.querySelectorAll(unread)]) element.remove();
}

/** Addresses that are neither web nor mail are dropped: `javascript:`, `data:`, `file:`. */
function absolute(element: DomNode, attribute: 'href' | 'src', base: string): void {
  const value = element.getAttribute(attribute);
  if (value === null) return;
  const target = URL.parse(value.trim(), base);
  const kept = target !== null && /^(https?|mailto|tel):$/.test(target.protocol);
  if (kept) element.setAttribute(attribute, target.href);
  else element.removeAttribute(attribute);
}

interface Article {
  readonly title: string | null | undefined;
  readonly content: DomNode;
  readonly byline: string | null | undefined;
  readonly publishedTime: string | null | undefined;
}

function readable(document: DomNode): Article | undefined {
  // Readability takes the document apart; the whole page may still be needed.
  const copy = (document as unknown as { cloneNode(deep: boolean): DomNode }).cloneNode(true);
  const reader = new Readability(copy as never, {
    serializer: (node) => node as unknown as DomNode,
    charThreshold: 200,
  });
  const article = reader.parse() as unknown as (Article & { content: DomNode | null }) | null;
  return article?.content ? article : undefined;
}

function toMarkdown(node: DomNode): string {
  const service = new TurndownService({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    emDelimiter: '*',
  });
  service.addRule('table', tableRule as never);
  service.remove(['script', 'style', 'noscript', 'template'] as never);
  return trimLineEnds(service.turndown(node as never))
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
