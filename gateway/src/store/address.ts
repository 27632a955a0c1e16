import { hasPassword, parsedAddress } from '../operations/postgres/checked-address.ts';

/** A store's address as people may see it: without password and options, but for a host that stands there. */
export function describeAddress(address: string): string {
  if (!/^postgres(?:ql)?:/.test(address)) return address;
  const url = parsedAddress(address);
  if (url === null || hasPassword(url)) return 'postgres://…';
  const { username, host, pathname, searchParams } = url;
  const shown = URL.canParse(address) ? host : '';
  const places = ['host', 'port'].flatMap((name) => {
    const value = searchParams.get(name);
    return value === null ? [] : [`${name}=${value}`];
  });
  const place = places.length === 0 ? '' : `?${places.join('&')}`;
  return `postgres://${username === '' ? '' : `${username}@`}${shown}${pathname}${place}`;
}
