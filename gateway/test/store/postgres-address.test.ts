import { describe, expect, it } from 'vitest';
import { checkedAddress } from '../../src/operations/postgres/checked-address.ts';
import { describeAddress } from '../../src/store/address.ts';
import { openStore } from '../../src/store/open-store.ts';

const STORE = { name: 'The address of the store', pointer: '#/store' };
const at = (query: string) => `postgres://ann:hunter2@db/crib${query}`;
const refusal = (address: string, env = {}) => {
  try {
    checkedAddress(address, STORE, env);
    return undefined;
  } catch (error) {
    return error as Error;
  }
};

describe('the address of a PostgreSQL', () => {
  it.each([
    '',
    '?sslmode=disable',
    '?sslmode=no-verify',
    '?sslmode=verify-full&sslrootcert=/etc/ca.pem&sslcert=/etc/a.pem&sslkey=/etc/a.key',
    '?uselibpqcompat=true&sslmode=require',
    '?ssl=true',
    '?application_name=crib&channel_binding=require',
  ])('goes to the driver as it is: %s', (query) => {
    expect(checkedAddress(at(query), STORE, {})).toBe(at(query));
  });

  it.each(['prefer', 'require', 'verify-ca'])('means the strictest by sslmode=%s', (mode) => {
    expect(checkedAddress(at(`?sslmode=${mode}&options=a`), STORE, {})).toBe(
      at('?sslmode=verify-full&options=a'),
    );
  });

  it.each([
    ['postgres://ann:hunter2@/crib?host=/run/postgresql', 'a socket'],
    ['postgres:///crib?host=/run/postgresql', 'a socket, and nobody named'],
    ['postgres://ann@%2Frun%2Fpostgresql/crib', 'a socket as the host'],
    ['postgres://ann:hunter2@[::1]:5433/crib', 'IPv6'],
    ['postgres://ann:p%40ss%2Fw%3Ao%23r%3Fd%25@db/crib', 'a password in codes'],
    ['postgres://ann:half%off@db/crib', 'a % that begins no code'],
    ['postgres://ann:a,b@db/crib', 'a comma in a password'],
  ])('is %s: %s', (address) => {
    expect(checkedAddress(address, STORE, {})).toBe(address);
  });

  it.each([
    ['?sslMode=require', 'a parameter for TLS that is not known'],
    ['?SSLMODE=require', 'a parameter for TLS that is not known'],
    ['?requiressl=1', 'a parameter for TLS that is not known'],
    ['?sslmode=verify-full&sslcrl=/etc/crl.pem', 'a parameter for TLS that is not known'],
    ['?sslmode=verify_full', 'unknown sslmode'],
    ['?sslmode=allow', 'unknown sslmode'],
    ['?sslmode=', 'unknown sslmode'],
    ['?sslmode=require&sslmode=disable', 'sslmode twice'],
    ['?ssl=TRUE', 'unknown ssl'],
    ['?ssl=true&sslmode=disable', 'asks for TLS and for none'],
    ['?sslnegotiation=later', 'unknown sslnegotiation'],
    ['?sslmode=verify-full&sslcert=/etc/a.pem', 'only one of sslcert and sslkey'],
    ['?uselibpqcompat=true&sslmode=verify-ca', 'without an authority'],
    ['?target_session_attrs=read-write&host=a,b', 'several hosts'],
  ])('is refused rather than half understood: %s', (query, why) => {
    expect(refusal(at(query))).toMatchObject({ code: 'configuration_invalid', pointer: '#/store' });
    expect(refusal(at(query))!.message).toContain(why);
  });

  it.each([
    ['postgres://ann@a,b/crib?target_session_attrs=read-write', 'several hosts'],
    ['postgres://ann:hunter2@a:5432,b:5433/crib', 'several hosts'],
    ['postgres://ann:hun/ter2@db/crib', 'no URL'],
    ['postgres://ann:12/hunter2@db/crib', 'an @ or a #'],
    ['postgres://ann:12?hunter2@db/crib', 'an @ or a #'],
    ['postgres://ann:12#hunter2@db/crib', 'an @ or a #'],
    ['postgres://ann:hunter2@db/crib#x', 'an @ or a #'],
    ['postgres://ann:hunter2%ff@db/crib', 'a %'],
    ['postgres://ann:hunter2@db:99999/crib', 'no URL'],
  ])('is refused without a word of it: %s', (address, why) => {
    const error = refusal(address)!;
    expect(error).toMatchObject({ code: 'configuration_invalid' });
    expect(error.message).toContain(why);
    expect(JSON.stringify(error) + String(error)).not.toMatch(/ter2|@db/);
  });

  it('is refused before anybody is asked, by whoever opens it', async () => {
    await expect(openStore(at('?sslMode=require'))).rejects.toMatchObject({ code: 'configuration_invalid' });
  });

  it('goes with a PGSSLMODE that means something', () => {
    expect(refusal(at(''), { PGSSLMODE: 'verify_full' })).toMatchObject({ code: 'configuration_invalid' });
    expect(refusal(at(''), { PGSSLMODE: 'verify-full' })).toBeUndefined();
    expect(refusal(at(''), { PGSSLMODE: '' })).toBeUndefined();
  });
});

describe('what people are shown of it', () => {
  it.each([
    ['postgres://ann:hunter2@db:5433/crib?sslmode=require', 'postgres://ann@db:5433/crib'],
    ['postgres://ann:hunter2@/crib?host=/run/pg&port=5433', 'postgres://ann@/crib?host=/run/pg&port=5433'],
    ['postgres:///crib?host=/run/pg&password=hunter2', 'postgres:///crib?host=/run/pg'],
    ['postgres://ann:12/hunter2@db/crib', 'postgres://…'],
    ['postgres://ann:12?hunter2@db/crib', 'postgres://…'],
    ['postgres://ann:12#hunter2@db/crib', 'postgres://…'],
    ['postgres://ann:hun/ter2@db/crib', 'postgres://…'],
  ])('%s: %s', (address, shown) => {
    expect(describeAddress(address)).toBe(shown);
  });
});
