import { describe, expect, it } from 'vitest';
import { readPath } from '../../src/proxy/request-path.ts';
import { processorTime } from '../processor-time.ts';

const BASE = 'https://api.example.org/v1';

describe('a path', () => {
  it.each([
    ['/users.json', ['users']],
    ['/users.XML;x', ['users']],
    ['/users/5.csv', ['users', '5']],
    ['/users.json/5', ['users.json', '5']],
    ['/usersx', ['usersx']],
  ])('%s is read without its format too', (path, formatless) => {
    expect(readPath(path, BASE)?.formatless).toEqual(formatless);
  });

  it.each<[string, readonly string[] | undefined]>([
    ['https://api.example.org/v1/users/5', ['users', '5']],
    ['https://api.example.org/v1', []],
    ['http://api.example.org/v1/users', undefined],
    ['https://api.example.org:444/v1/users', undefined],
    ['https://api.example.org/v10/users', undefined],
    ['https://api.example.org/v2/users', undefined],
    ['https://api.example.org/v1/../v2/users', undefined],
    ['/us\ners', ['users']],
    [' https://api.example.org/v2/users', undefined],
    ['\\users\\5', ['users', '5']],
    ['/users/%ff', undefined],
    ['/../users', undefined],
  ])('%j is read as what is below the base, and nothing else', (path, names) => {
    expect(readPath(path, BASE)?.names).toEqual(names);
  });

  it('takes no longer to read the more dots it holds, and is refused when no service would take it', async () => {
    const took = await processorTime(() => {
      expect(readPath(`/a/${'.'.repeat(16_000)}x`, BASE)?.names).toHaveLength(2);
      expect(readPath(`/a/${'.'.repeat(4_000_000)}x`, BASE)).toBeUndefined();
      expect(readPath(`/a/%${'25'.repeat(2_000_000)}2e`, BASE)).toBeUndefined();
    });
    expect(took).toBeLessThan(2000);
  });
});
