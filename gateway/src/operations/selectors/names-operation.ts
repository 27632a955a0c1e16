/**
 * Whether an operation id is the one that a rule names. `office365.*` names every id that begins with `office365.`: all
 * operations of one connection; there are no other patterns.
 */
export function namesOperation(named: string, id: string): boolean {
  return named === id || (named.endsWith('.*') && id.startsWith(named.slice(0, -1)));
}
