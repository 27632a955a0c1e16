import type { EgressResponse } from '../../egress/index.ts';
import type { HttpAnswer } from '../executor.ts';

/**
 * A 301 or 302 makes a GET of a POST, in every client (RFC 9110 §15.4.2, §15.4.3). Where it says that the place has moved
 * (to https, or to the path with a slash at its end), nothing was carried out, and what the GET answers would pass for
 * it. Another 302, and a 303, is how services answer what was.
 */
export function lostMethod({
  becameGet,
  url,
  status,
}: EgressResponse): Pick<HttpAnswer, 'warnings' | 'advice'> {
  if (becameGet === undefined || becameGet.status === 303) return {};
  const [from, to] = [URL.parse(becameGet.url), URL.parse(url)];
  if (from === null || to === null) return {};
  const isElsewhere = from.origin !== to.origin;
  const isSamePath = bare(from) === bare(to);
  const hasMoved = becameGet.status === 301 ? from.href !== to.href : isElsewhere && isSamePath;
  if (!hasMoved) return {};
  const place = isElsewhere ? to.origin + to.pathname : to.pathname;
  const { method } = becameGet;
  const text = `The service answered the ${method} with a redirect (${becameGet.status}) to ${place}, where a GET was sent: the ${method} was most likely not carried out.`;
  const next = isElsewhere
    ? `The operator names ${to.origin} by \`baseUrl\` of the source, where the path is the same.`
    : `The operator corrects the path in the document: the service has it as ${to.pathname}.`;
  if (status < 400) return { warnings: [`${text} ${next}`] };
  return status < 500 ? { advice: { text, next, details: {} } } : {};
}

const bare = ({ pathname }: URL): string => pathname.replace(/\/$/, '');
