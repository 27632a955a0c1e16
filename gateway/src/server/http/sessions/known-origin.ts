import { hostOf } from '../host-of.ts';

/**
 * Where the browser is for sure, whatever ends its TLS; undefined: nobody but itself knows. Whoever comes to another name
 * than the public one, such as the machine's own, comes as the request says.
 */
export function knownOrigin(request: Request, publicUrl: URL | undefined): string | undefined {
  return publicUrl?.host === hostOf(request) ? publicUrl.origin : undefined;
}
