import { trimEndsOf } from '../../operations/text/trim-runs.ts';
import { addressRefused, shown } from './refuse.ts';

/** What an address of a person means. */
export type SkillAddress =
  | {
      readonly kind: 'git';
      /** Of the repository, as git clients take it. */
      readonly url: string;
      /** Branch, tag or whole commit id; absent: what the server's HEAD is. */
      readonly ref?: string;
      readonly folder?: string;
      /** `main/skills/pdf`, where the branch's name ends only the list of branches tells. */
      readonly refAndFolder?: string;
    }
  /** A file, or perhaps a repository: what comes back tells. */
  | { readonly kind: 'unknown'; readonly url: string; readonly ref?: string; readonly folder?: string };

/**
 * `https://host/skill.zip`, `https://host/repo.git#ref:folder`, and what stands in a browser on a page of GitHub.
 * Throws `archive_refused`.
 */
export function understandAddress(text: string): SkillAddress {
  const url = URL.parse(text);
  if (/^[\w.-]+@[\w.-]+:/.test(text) || (url !== null && /^(?:ssh|git|file|git\+ssh):$/.test(url.protocol)))
    throw addressRefused(
      'Repositories are read over https; a clone on this machine is imported by its path.',
    );
  if (url === null || !/^https?:$/.test(url.protocol))
    throw addressRefused(`"${shown(text.split(/[?#]/)[0]!)}" is no http or https address.`);
  const fragment = fragmentOf(url);
  url.hash = '';
  const page = githubPage(url);
  if (page !== undefined) return { ...page, ...fragment };
  const isRepository = /\.git\/?$/.test(url.pathname);
  return { kind: isRepository ? 'git' : 'unknown', url: url.href.replace(/\.git\/$/, '.git'), ...fragment };
}

/** `#ref`, `#ref:folder`, `#:folder`. */
function fragmentOf({ hash }: URL): { ref?: string; folder?: string } {
  if (hash.length <= 1) return {};
  let text: string;
  try {
    text = decodeURIComponent(hash.slice(1));
  } catch (error) {
    throw addressRefused('What follows the # cannot be read.', error);
  }
  const colon = text.indexOf(':');
  const ref = colon < 0 ? text : text.slice(0, colon);
  const folder = colon < 0 ? '' : trimEndsOf(text.slice(colon + 1), '/');
  return { ...(ref === '' ? {} : { ref }), ...(folder === '' ? {} : { folder }) };
}

/** `/owner/repo`, `/owner/repo/tree/REF/FOLDER`, `/owner/repo/blob/REF/FOLDER/SKILL.md`. */
function githubPage({ hostname, pathname, origin }: URL): SkillAddress | undefined {
  if (hostname !== 'github.com' && hostname !== 'www.github.com') return undefined;
  const [owner, name, view, ...rest] = pathname.split('/').filter((part) => part !== '');
  if (owner === undefined || name === undefined) return undefined;
  const url = `${origin}/${owner}/${name.replace(/\.git$/, '')}.git`;
  if (view === undefined) return { kind: 'git', url };
  const isDocument = view === 'blob' && rest.at(-1) === 'SKILL.md';
  if ((view !== 'tree' && !isDocument) || rest.length === 0) return undefined;
  const path = (isDocument ? rest.slice(0, -1) : rest).map(decoded).join('/');
  return { kind: 'git', url, refAndFolder: path };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
