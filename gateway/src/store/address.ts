import { hasPassword, parsedAddress } from '../operations/postgres/checked-address.ts';

/** A store's address as people may see it: without password and options, but for a host that stands there. */
export function describeAddress(address: string): string {
  return shownAddress(address, ['host', 'port']);
}

/** The same for PostgreSQL's own programs: with what of its options is libpq's, too. They ask for the password. */
export function addressForPrograms(address: string): string {
  const libpq = ['host', 'port', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'sslnegotiation', 'options'];
  // libpq looks at no certificate by this name
  return shownAddress(address, libpq).replace('sslmode=no-verify', 'sslmode=require');
}

function shownAddress(address: string, shownOptions: readonly string[]): string {
  if (!/^postgres(?:ql)?:/.test(address)) return address;
  const url = parsedAddress(address);
  if (url === null || hasPassword(url)) return 'postgres://…';
  const { username, host, pathname, searchParams } = url;
  const shown = URL.canParse(address) ? host : '';
  const options = shownOptions.flatMap((name) => {
    const value = searchParams.get(name);
    return value === null ? [] : [`${name}=${isPlace(name) ? value : encodeURIComponent(value)}`];
  });
  const query = options.length === 0 ? '' : `?${options.join('&')}`;
  return `postgres://${username === '' ? '' : `${username}@`}${shown}${pathname}${query}`;
}

function isPlace(name: string): boolean {
  return name === 'host' || name === 'port';
}
