import { HTTP_TOKEN } from '../../operations/http/http-token.ts';
import { isSecretHeader } from '../../operations/http/secret-header.ts';
import { isObject } from '../../operations/index.ts';
import { remember } from '../../operations/work/remember.ts';
import type { Place } from './place.ts';
import type { Reading } from './reading.ts';

const MAX_HEADERS = 20;
const MAX_NAME = 100;
/** What carries the message, and what other parts read: `Link` leads to the next page, `Content-Disposition` names a file. */
const OF_THE_MESSAGE =
  /^(?:accept(?:-.*)?|access-control-.*|age|allow|alt-svc|cache-control|connection|content-(?:disposition|encoding|language|length|md5|security-policy|type)|date|expires|keep-alive|link|pragma|proxy-.*|server|strict-transport-security|trailer|transfer-encoding|upgrade|user-agent|vary|via|x-content-type-options|x-frame-options|x-powered-by|x-xss-protection)$/;
/** What a service counts and numbers for its own support. */
const BOOKKEEPING =
  /rate-?limit|idempotency|(?:^|-)api-?version$|(?:request|response|correlation|trace|transaction|activity|dataservice)-?id$/;

/** Which header says what version an answer is, by the precondition that takes it (RFC 9110 §13.1). */
const VERSION_BY_PRECONDITION: Readonly<Record<string, string>> = {
  'if-match': 'ETag',
  'if-none-match': 'ETag',
  'if-unmodified-since': 'Last-Modified',
  'if-modified-since': 'Last-Modified',
};

/**
 * Names of the headers that an answer is told with: those that its success responses declare, without what carries the
 * message, and the version that an operation of the path asks for.
 */
export function answerHeaders(
  reading: Reading,
  pathItem: Place,
  responses: readonly Place[],
): readonly string[] | undefined {
  const found = new Map<string, string>();
  for (const { node, pointer } of responses) {
    const headers = reading.references.object(node.headers, `${pointer}/headers`)?.node ?? {};
    for (const name of Object.keys(headers)) if (isTold(name)) found.set(name.toLowerCase(), name);
  }
  for (const name of versionsAskedFor(reading, pathItem)) {
    if (!found.has(name.toLowerCase())) found.set(name.toLowerCase(), name);
  }
  return found.size === 0 ? undefined : [...found.values()].slice(0, MAX_HEADERS);
}

/** Asked of the same few names again and again. */
const isTold = remember(200, (name): boolean => {
  if (name.length > MAX_NAME || !HTTP_TOKEN.test(name)) return false;
  const lower = name.toLowerCase();
  if (OF_THE_MESSAGE.test(lower) || BOOKKEEPING.test(lower)) return false;
  return !isSecretHeader(lower);
});

function versionsAskedFor(reading: Reading, pathItem: Place): readonly string[] {
  const known = reading.versions.get(pathItem.node);
  if (known !== undefined) return known;
  const owners = [pathItem.node, ...Object.values(pathItem.node).filter(isObject)];
  const lists = owners.flatMap(({ parameters }) => (Array.isArray(parameters) ? parameters : []));
  const found = new Set<string>();
  for (const parameter of lists) {
    const isElsewhere = isObject(parameter) && parameter.in !== undefined && parameter.in !== 'header';
    const node = isElsewhere ? undefined : reading.references.object(parameter, pathItem.pointer)?.node;
    if (node?.in !== 'header' || typeof node.name !== 'string') continue;
    const lower = node.name.toLowerCase();
    if (Object.hasOwn(VERSION_BY_PRECONDITION, lower)) found.add(VERSION_BY_PRECONDITION[lower]!);
  }
  const versions = [...found];
  reading.versions.set(pathItem.node, versions);
  return versions;
}
