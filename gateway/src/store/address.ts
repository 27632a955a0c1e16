/** A store's address as people may see it: without password and options. */
export function describeAddress(address: string): string {
  if (!/^postgres(?:ql)?:/.test(address)) return address;
  if (!URL.canParse(address)) return 'postgres://…';
  const { username, host, pathname } = new URL(address);
  return `postgres://${username === '' ? '' : `${username}@`}${host}${pathname}`;
}
