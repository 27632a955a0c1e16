import { ToolcribError } from '../../errors.ts';

/** Whose address it is: "The address of the store", and where it stands. */
export interface Addressed {
  readonly name: string;
  readonly pointer?: string;
}

const MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];
const TLS_NAMES = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslnegotiation', 'ssl', 'uselibpqcompat'];

/**
 * The address as the driver takes it. It overlooks what it does not know, and that may mean a connection without TLS
 * where somebody asked for it: what cannot be meant is refused here. Throws `configuration_invalid`, which repeats
 * nothing of the address: what stands in the wrong place may be part of a password.
 */
export function checkedAddress(address: string, whose: Addressed, env: Environment = process.env): string {
  const wrong = (what: string, next: string) =>
    new ToolcribError('configuration_invalid', `${whose.name} ${what}.`, {
      ...(whose.pointer === undefined ? {} : { pointer: whose.pointer }),
      next,
    });
  const query = parametersOf(address, wrong);
  for (const name of query.keys()) {
    if (TLS_NAMES.includes(name) || !/ssl|tls/i.test(name)) continue;
    throw wrong('has a parameter for TLS that is not known', `Known are ${TLS_NAMES.join(', ')}.`);
  }
  for (const name of TLS_NAMES) {
    if (query.getAll(name).length > 1) throw wrong(`says ${name} twice`, 'Say it once.');
  }
  const mode = query.get('sslmode');
  if (mode !== null && !MODES.includes(mode)) throw wrong('has an unknown sslmode', KNOWN_MODES);
  const ssl = query.get('ssl');
  if (ssl !== null && !['0', '1', 'true', 'no-verify'].includes(ssl))
    throw wrong('has an unknown ssl', SAY_MODE);
  if (ssl !== null && ssl !== '0' && mode === 'disable') throw wrong('asks for TLS and for none', SAY_MODE);
  if (!['postgres', 'direct', null].includes(query.get('sslnegotiation'))) {
    throw wrong('has an unknown sslnegotiation', 'It is postgres or direct.');
  }
  if (query.has('sslcert') !== query.has('sslkey')) {
    throw wrong('names only one of sslcert and sslkey', 'A client certificate goes with its key: name both.');
  }
  const isCompatible = query.get('uselibpqcompat') === 'true';
  if (isCompatible && mode === 'verify-ca' && !query.has('sslrootcert')) {
    throw wrong('says sslmode=verify-ca without an authority', 'Name it with sslrootcert, or verify-full.');
  }
  const given = env['PGSSLMODE'];
  if (given !== undefined && given !== '' && !MODES.includes(given)) {
    throw new ToolcribError('configuration_invalid', 'PGSSLMODE has an unknown value.', {
      next: KNOWN_MODES,
    });
  }
  // the driver means the strictest by all of these, and complains of every other word for it
  return isCompatible
    ? address
    : address.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/, '$1verify-full');
}

type Environment = Readonly<Record<string, string | undefined>>;

const ENCODED =
  'Write what is special in user and password by its code: @ %40, / %2F, : %3A, # %23, ? %3F, % %25, [ %5B, or keep the password in PGPASSWORD.';
const KNOWN_MODES = `Use one of ${MODES.join(', ')}.`;
const SAY_MODE = 'Say it with sslmode alone.';

type Wrong = (what: string, next: string) => ToolcribError;

function parametersOf(address: string, wrong: Wrong): URLSearchParams {
  if (isSeveral(address)) {
    throw wrong(
      'names several hosts',
      'Name one that always leads to the primary: a name, an address or a proxy that moves with it.',
    );
  }
  const url = parsedAddress(address);
  if (url === null) throw wrong('is no URL', ENCODED);
  if (hasPassword(url)) throw wrong('has an @ or a # behind its host', ENCODED);
  const { username, password, pathname, searchParams } = url;
  if (![username, password, pathname].every(isEncoded))
    throw wrong('holds a % that encodes nothing', ENCODED);
  return searchParams;
}

function isSeveral(address: string): boolean {
  const [, authority = ''] = /^[^:]+:\/\/(?:[^/?#]*@)?([^@/?#]*)(?:[/?#]|$)/.exec(address) ?? [];
  const [, host = ''] = /[?&]host=([^&#]*)/.exec(address) ?? [];
  return authority.includes(',') || /,|%2C/i.test(host);
}

/** A % that begins no code stands for itself, as the driver takes it. */
function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text.replace(/%(?![0-9a-f]{2})/gi, '%25'));
    return true;
  } catch {
    return false;
  }
}

/** Null where it is no URL: one without a host, as for a socket that a parameter names, is none by itself. */
export function parsedAddress(address: string): URL | null {
  return URL.parse(address) ?? URL.parse(address.replace('@/', '@host/'));
}

/** A password that is not encoded, with a / ? or # in it, is taken for what stands behind the host. */
export function hasPassword({ pathname, searchParams, hash }: URL): boolean {
  return hash !== '' || [pathname, ...searchParams.keys()].some((part) => part.includes('@'));
}
