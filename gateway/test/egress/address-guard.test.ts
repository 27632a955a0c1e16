import { describe, expect, it } from 'vitest';
import { createAddressGuard } from '../../src/egress/address-guard.ts';

const guard = createAddressGuard();

describe('public unicast addresses', () => {
  it.each([
    '1.0.0.1',
    '9.255.255.255',
    '100.63.255.255',
    '100.128.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2000::',
    '2001:200::1',
    '2001:db9::1',
    '2003::1',
    '2606:4700:4700::1111',
    '3fff:1000::1',
  ])('%s passes', (address) => expect(guard.isPublic(address)).toBe(true));

  it.each([
    ['0.0.0.1', 'this network'],
    ['10.255.255.255', 'private'],
    ['100.64.0.0', 'carrier-grade NAT'],
    ['127.255.255.255', 'loopback'],
    ['169.254.0.1', 'link-local'],
    ['172.31.255.255', 'private'],
    ['192.0.0.1', 'protocol assignments'],
    ['192.0.2.1', 'documentation'],
    ['192.88.99.1', '6to4 relay'],
    ['192.168.255.255', 'private'],
    ['198.19.255.255', 'benchmarking'],
    ['198.51.100.1', 'documentation'],
    ['203.0.113.1', 'documentation'],
    ['224.0.0.1', 'multicast'],
    ['255.255.255.255', 'broadcast'],
    ['::', 'unspecified'],
    ['::1', 'loopback'],
    ['::7f00:1', 'IPv4-compatible'],
    ['::ffff:8.8.8.8', 'IPv4-mapped, even of a public address'],
    ['64:ff9b::808:808', 'NAT64, even of a public address'],
    ['64:ff9b:1::1', 'local NAT64'],
    ['100::1', 'discard'],
    ['1fff:ffff::1', 'below global unicast'],
    ['4000::1', 'above global unicast'],
    ['2001::1', 'Teredo'],
    ['2001:1ff:ffff::1', 'end of protocol assignments'],
    ['2001:db8::1', 'documentation'],
    ['2002:808:808::1', '6to4'],
    ['3fff:fff::1', 'documentation'],
    ['fc00::1', 'unique local'],
    ['fe80::1', 'link-local'],
    ['fe80::1%eth0', 'with a zone'],
    ['2606:4700:4700::1111%eth0', 'with a zone, even of a public address'],
    ['fec0::1', 'site-local'],
    ['ff02::1', 'multicast'],
    ['168.63.129.16', 'metadata on a public address'],
    ['010.0.0.1', 'no address'],
    ['example.com', 'no address'],
    ['', 'no address'],
  ])('%s is refused: %s', (address) => expect(guard.isPublic(address)).toBe(false));
});

describe('metadata endpoints are seen in every notation', () => {
  it.each([
    '169.254.169.254',
    '169.254.170.2',
    '100.100.100.200',
    '192.0.0.192',
    '168.63.129.16',
    'fd00:ec2::254',
    'fd20:ce::254',
    'fd00:42::42',
    'fd42::42',
    'fe80::1',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '::169.254.169.254',
    '::ffff:0:169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::1',
  ])('%s', (address) => expect(guard.isMetadata(address)).toBe(true));

  it.each([
    ['127.0.0.1', 'loopback'],
    ['10.0.0.1', 'private'],
    ['::1', 'loopback'],
    ['8.8.8.8', 'public'],
    ['not an address', 'no address'],
    ['::ffff:8.8.8.8', 'mapped, but another one'],
    ['64:ff9b::808:808', 'NAT64, but another one'],
    ['2606:4700::a9fe:a9fe', 'an address of its own that ends in the same bits'],
  ])('%s is none: %s', (address) => expect(guard.isMetadata(address)).toBe(false));
});
