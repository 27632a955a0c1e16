/** Paths of the console's pages, as its router writes them; `:id?` is one segment that may be absent. */
export const CONSOLE_PAGES: readonly string[] = [
  '/',
  '/calls/:id?',
  '/approvals/:id?',
  '/tools/:name?',
  '/tokens',
  '/sources/:name?',
  '/access',
  '/people',
  '/changes',
  '/artifacts/:id?',
  '/usage',
  '/doctor',
  '/settings',
  '/sign-in',
];

const WITH_ID: ReadonlySet<string> = new Set(
  CONSOLE_PAGES.filter((page) => page.endsWith('?')).map((page) => page.split('/')[1]!),
);
const ALONE: ReadonlySet<string> = new Set(CONSOLE_PAGES.map((page) => page.split('/')[1]!));

/** Whether the console has a page there; one slash at the end is no other page. */
export function isConsolePage(pathname: string): boolean {
  const [, page = '', id = '', ...more] = pathname.split('/');
  if (more.length > 1 || (more.length === 1 && more[0] !== '')) return false;
  return ALONE.has(page) && (id === '' || WITH_ID.has(page));
}
