import { expect, it } from 'vitest';
import { sharedLookups } from '../../src/egress/shared-lookups.ts';

it('a name is looked up anew once its answer is there, also where there was none', async () => {
  const answers = ['93.184.215.14', undefined, '198.35.26.96'];
  const resolve = sharedLookups(async () => {
    const address = answers.shift();
    if (address === undefined) throw new Error('It is unknown.');
    return [{ address, family: 4 }];
  });
  expect(await resolve('a.example')).toEqual([{ address: '93.184.215.14', family: 4 }]);
  await expect(resolve('a.example')).rejects.toThrow('It is unknown.');
  expect(await resolve('a.example')).toEqual([{ address: '198.35.26.96', family: 4 }]);
});
