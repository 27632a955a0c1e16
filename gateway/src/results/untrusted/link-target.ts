/** Characters of an address that are shown; of a longer one, only its host. */
const MAX_SHOWN = 2048;

/** Where a link leads, for the rules and for people. */
export interface LinkTarget {
  /** It stands on the list of hosts, or leads nowhere else than within the text. */
  readonly allowed: boolean;
  /** `docs.acme.com`, `inline data`, or '' where nothing says. */
  readonly host: string;
  /** The address as text that no renderer makes a link of. */
  readonly inert: string;
}

/** `hosts` in lower case; `*.acme.com` covers every name below acme.com. */
export function linkTarget(address: string, hosts: readonly string[]): LinkTarget {
  const plain = address.trim();
  if (/^#[\w.~-]*$/.test(plain)) return { allowed: true, host: '', inert: plain };
  const url = URL.parse(plain.startsWith('//') ? `https:${plain}` : plain);
  const host = hostOf(url);
  const web = url !== null && (url.protocol === 'https:' || url.protocol === 'http:');
  const allowed = web && url.username === '' && !/&[#\w]+;/.test(plain) && isListed(url.hostname, hosts);
  const shown = url?.protocol === 'data:' || plain.length > MAX_SHOWN ? host : plain;
  return { allowed, host, inert: codeSpan(shown) };
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

/** Renderers make no link of what stands in a code span (CommonMark §6.1); a backtick would end it. */
function codeSpan(text: string): string {
  const inside = text
    .replace(/[\s\u0000-\u0020]+/g, '%20')
    .replace(/`/g, '%60')
    .replace(/\|/g, '%7C')
    .replace(/</g, '%3C')
    .replace(/>/g, '%3E');
  return inside === '' ? '' : `\`${inside}\``;
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
