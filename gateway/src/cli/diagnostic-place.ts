import type { Diagnostic } from '../operations/index.ts';

/** Where it was found. Of several sources the one is named: a pointer alone could lead into any of them. */
export function diagnosticPlace({ source, location, pointer }: Diagnostic, isOneOfSeveral: boolean): string {
  const within = location ?? (isOneOfSeveral && pointer !== undefined ? source : undefined);
  return [within, pointer].filter((part) => part !== undefined).join(' ');
}
