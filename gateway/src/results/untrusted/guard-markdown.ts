import type { MarkdownPolicy } from '../../operations/index.ts';
import { codePieces } from './code-pieces.ts';
import { guardHtml } from './html-tags.ts';
import { type LinkTarget, linkTargets, placeholder, type TargetOf } from './link-target.ts';

type Guard = Exclude<MarkdownPolicy, 'keep'>;

/** Without any of these a text has no link, image, definition or HTML. */
const MARKUP = /\]\s*[(:]|<[a-z!/?]/i;
const BARE_ADDRESS = /\bhttps?:\/\//i;

const DESTINATION =
  '(<[^<>\\n]{0,2048}>|[^\\s<>()]{0,2048}(?:\\([^\\s<>()]{0,512}\\)[^\\s<>()]{0,512}){0,4})';
const TITLE = `(?:\\s{1,16}(?:"[^"]{0,512}"|'[^']{0,512}'|\\([^()]{0,512}\\)))?`;
const RESOURCE = `\\(\\s{0,16}${DESTINATION}${TITLE}\\s{0,16}\\)`;
const IMAGE = new RegExp(`!\\[([^[\\]]{0,1000})\\]${RESOURCE}`, 'g');
const LINK = new RegExp(`(?<!!)\\[([^[\\]]{0,1000})\\]${RESOURCE}`, 'g');
/** What is left of links whose text has brackets or code in it. */
const LINK_END = new RegExp(`\\]${RESOURCE}`, 'g');
const DEFINITION = /\]:[ \t]{0,16}(?:\r\n|\n|\r)?[ \t]{0,16}(<[^<>\n]{0,2048}>|[^\s<>]{1,2048})/g;
const AUTOLINK = /<([a-z][a-z0-9+.-]{1,31}:[^\s<>\u0000-\u0020]{0,2048})>/gi;
const EMAIL = /<([\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9.-]{1,253})>/gi;
const ADDRESS = /\bhttps?:\/\/[^\s<>"'`)\]]{1,2048}/gi;

/** Stands for what may stay while the rest is looked at; taken out of the text before. */
const MARK = '\ue000';
const KEPT = /\ue000(\d{1,9})\ue000/g;

/**
 * Text in which nothing loads by itself and no link hides where it leads (`defang`), or nothing links at all (`strip`);
 * code stays as it is. Whatever could begin a link in any renderer is taken apart, parsed or not. Linear time.
 */
export function guardMarkdown(text: string, policy: Guard, hosts: readonly string[]): string {
  if (!MARKUP.test(text) && !(policy === 'strip' && BARE_ADDRESS.test(text))) return text;
  const { pieces, paired } = codePieces(text);
  const targetOf = linkTargets(hosts, paired);
  return pieces.map((piece) => (piece.code ? piece.text : guardPlain(piece.text, policy, targetOf))).join('');
}

function guardPlain(text: string, policy: Guard, targetOf: TargetOf): string {
  if (!MARKUP.test(text) && !(policy === 'strip' && BARE_ADDRESS.test(text))) return text;
  const stays: string[] = [];
  const keep = (part: string): string => `${MARK}${stays.push(restored(part, stays)) - 1}${MARK}`;
  const strip = policy === 'strip';
  const behind = ({ inert }: LinkTarget): string => (strip || inert === '' ? '' : keep(` (${inert})`));
  const guarded = text
    .replaceAll(MARK, '')
    .replace(IMAGE, (_whole, alt: string, address: string) => {
      const target = targetOf(address);
      if (target.allowed && target.host !== '') return `![${alt}${keep(`](${bare(address)})`)}`;
      return strip ? '' : placeholder('image', alt, target.host);
    })
    .replace(LINK, (_whole, words: string, address: string) => {
      const target = targetOf(address);
      if (target.allowed) return `[${words}${keep(`](${bare(address)})`)}`;
      return `${words}${behind(target)}`;
    })
    .replace(LINK_END, (_whole, address: string) => {
      const target = targetOf(address);
      return target.allowed ? keep(`](${bare(address)})`) : `]${behind(target)}`;
    })
    .replace(DEFINITION, (whole, address: string) => {
      if (/^\w+$/.test(address)) return whole;
      const { allowed, inert } = targetOf(address);
      if (allowed) return keep(`]: ${bare(address)}`);
      return strip ? '] ' : `]${keep(` : ${inert}`)}`;
    })
    .replace(AUTOLINK, (whole, address: string) => {
      const { allowed, host, inert } = targetOf(address);
      if (allowed) return keep(whole);
      return strip ? host : keep(inert);
    })
    .replace(EMAIL, '$1');
  const inert = guardHtml(guarded, policy, targetOf)
    .replace(/\](?=\(|:(?!\s*\w+(?:\s|$)))/g, '] ')
    .replace(/<(?=[!?])/g, '< ');
  const quiet = strip ? inert.replace(ADDRESS, (address) => hostOnly(address, targetOf)) : inert;
  return restored(quiet, stays);
}

/** Without pointed brackets and title: those could hold something that is live where the link is none. */
function bare(address: string): string {
  return address.replace(/^<(.*)>$/s, '$1');
}

function hostOnly(address: string, targetOf: TargetOf): string {
  const { allowed, host } = targetOf(address);
  return allowed ? address : host;
}

/** Every kept part in its place; a mark that lost its other half is none. */
function restored(text: string, stays: readonly string[]): string {
  if (stays.length === 0) return text;
  return text.replace(KEPT, (_whole, index: string) => stays[Number(index)] ?? '').replaceAll(MARK, '');
}
