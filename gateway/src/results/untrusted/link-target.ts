/** Characters of an address that are shown; of a longer one, only its host. */
const MAX_SHOWN = 2048;
/** Nothing in it reads differently with its escapes and entities resolved. */
const UNAMBIGUOUS = /^https?:\/\/[a-z0-9.-]+(?::\d+)?(?:[/?#](?:[\w\-.~:/?#@!$'*+,;=%()]|&(?![#\w]+;))*)?$/i;

/** Where a link leads, for the rules and for people. */
export interface LinkTarget {
  /** It stands on the list of hosts, or leads nowhere else than within the text. */
  readonly allowed: boolean;
  /** `docs.acme.com`, `inline data`, or '' where nothing says. */
  readonly host: string;
  /** The address as text that no renderer makes a link of. */
  readonly inert: string;
}

export type TargetOf = (address: string) => LinkTarget;

/**
 * `hosts` in lower case; `*.acme.com` covers every name below acme.com. `spans` false: the text has stray backticks,
 * so that a code span would not hold.
 */
export function linkTargets(hosts: readonly string[], spans: boolean): TargetOf {
  const shownAs = spans ? codeSpan : respelled;
  return (address) => {
    const plain = address.trim().replace(/^<(.*)>$/s, '$1');
    if (/^#[\w.~-]*$/.test(plain)) return { allowed: true, host: '', inert: plain };
    const url = URL.parse(plain.startsWith('//') ? `https:${plain}` : plain);
    const host = hostOf(url);
    const allowed = url !== null && UNAMBIGUOUS.test(plain) && isListed(url.hostname, hosts);
    const shown = url?.protocol === 'data:' || plain.length > MAX_SHOWN ? host : plain;
    return { allowed, host, inert: shownAs(shown) };
  };
}

function hostOf(url: URL | null): string {
  if (url === null) return '';
  if (url.protocol === 'data:') return 'inline data';
  return url.host === '' ? url.protocol.slice(0, -1) : url.host;
}

function isListed(hostname: string, hosts: readonly string[]): boolean {
  const name = hostname.toLowerCase();
  return hosts.some((host) => (host.startsWith('*.') ? name.endsWith(host.slice(1)) : name === host));
}

const ENCODED = /[\s\u0000-\u0020`|<>[\]\\]/g;

/** Renderers make no link of what stands in a code span (CommonMark §6.1). */
function codeSpan(address: string): string {
  const inside = address.replace(ENCODED, (character) => encodeURIComponent(character));
  return inside === '' ? '' : `\`${inside}\``;
}

/** `hxxps://evil[.]example/x`, as people write addresses that nobody should follow. */
function respelled(address: string): string {
  return address
    .replace(ENCODED, (character) => encodeURIComponent(character))
    .replace(/^http/i, 'hxxp')
    .replace(/^([a-z][a-z0-9+.-]*):/i, '$1 :')
    .replace(/^(hxxps?) :/i, '$1:');
}

/** Alternative text and the like, without anything that could be markup. */
export function plainWords(text: string): string {
  return text
    .replace(/[[\](){}<>`!\\|*_~&#\s]+/g, ' ')
    .trim()
    .slice(0, 200);
}

/** What stands where an image or another thing that loads by itself stood. */
export function placeholder(what: string, words: string, host: string): string {
  const named = plainWords(words);
  return `(${what}${named === '' ? '' : `: ${named}`}${host === '' ? '' : `, from ${plainWords(host)}`})`;
}
