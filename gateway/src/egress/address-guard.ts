import { BlockList, isIP } from 'node:net';

/** IANA special-purpose IPv4 space: nothing in it is a public unicast address. */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
] as const;

/** Global unicast IPv6; what lies outside is mapped, translated, local, multicast or unassigned. */
const GLOBAL_IPV6 = '2000::/3';
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'] as const;

/** Cloud metadata and platform endpoints, also those on public addresses (Azure's 168.63.129.16). */
const METADATA = [
  '169.254.0.0/16',
  '100.100.100.200/32',
  '192.0.0.192/32',
  '168.63.129.16/32',
  'fd00:ec2::/32',
  'fd20:ce::254/128',
  'fd00:42::42/128',
  'fd42::42/128',
  'fe80::/10',
] as const;

export interface AddressGuard {
  /** A public unicast address that is no metadata endpoint. False for anything that is no plain address. */
  isPublic(address: string): boolean;
  /** A metadata endpoint or link-local address, in any notation (IPv4-mapped, NAT64, 6to4). */
  isMetadata(address: string): boolean;
}

/** Decides by address alone; names are the business of `destination.ts`. */
export function createAddressGuard(): AddressGuard {
  const special = blockList([...SPECIAL_IPV4, ...SPECIAL_IPV6]);
  const global = blockList([GLOBAL_IPV6]);
  const metadata = blockList(METADATA);
  const isMetadata = (address: string): boolean => {
    const family = familyOf(address);
    if (family === undefined) return false;
    if (metadata.check(address, family)) return true;
    const embedded = embeddedIpv4(address);
    return embedded !== undefined && metadata.check(embedded, 'ipv4');
  };
  return {
    isMetadata,
    isPublic(address) {
      const family = familyOf(address);
      if (family === undefined || isMetadata(address)) return false;
      if (family === 'ipv6' && !global.check(address, 'ipv6')) return false;
      return !special.check(address, family);
    },
  };
}

function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address, prefix] = network.split('/') as [string, string];
    list.addSubnet(address, Number(prefix), address.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
}

/** Undefined for what is no address, or one with a zone identifier. */
export function familyOf(address: string): 'ipv4' | 'ipv6' | undefined {
  const version = isIP(address);
  if (version === 4) return 'ipv4';
  return version === 6 && !address.includes('%') ? 'ipv6' : undefined;
}

/** The IPv4 address that an IPv6 address carries: mapped and compatible, NAT64 (RFC 6052), 6to4 (RFC 3056). */
function embeddedIpv4(address: string): string | undefined {
  if (!address.includes(':')) return undefined;
  const groups = groupsOf(address);
  const [first, second] = groups;
  if (first === 0x2002) return dotted(groups[1], groups[2]);
  const zeros = groups.slice(0, 5).every((group) => group === 0);
  const mapped = zeros && (groups[5] === 0xffff || groups[5] === 0);
  const translated = (first === 0x64 && second === 0xff9b) || (groups[4] === 0xffff && groups[5] === 0);
  return mapped || translated ? dotted(groups[6], groups[7]) : undefined;
}

/** The eight 16-bit groups; the URL parser brings every notation into the shortest hexadecimal one. */
function groupsOf(address: string): number[] {
  const short = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [head = '', tail] = short.split('::');
  const parse = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const front = parse(head);
  if (tail === undefined) return front;
  const back = parse(tail);
  return [...front, ...Array<number>(8 - front.length - back.length).fill(0), ...back];
}

function dotted(high = 0, low = 0): string {
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}
