import { afterEach, expect, it, vi } from 'vitest';
import { createFaults } from '../../src/assembly/faults.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

it.each([
  ['a terminal', true, /^\d\d:\d\d:\d\d\.\d{3} WARN {2}The file changed\. file=a\.yaml\n$/],
  ['anything else', undefined, /^\{"level":"warn",.*"file":"a\.yaml","msg":"The file changed\."\}\n$/],
])('tells faults to %s in lines that are for it', async (_, isTTY, line) => {
  const written: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  const before = Object.getOwnPropertyDescriptor(process.stderr, 'isTTY');
  Object.defineProperty(process.stderr, 'isTTY', { value: isTTY, configurable: true });
  try {
    const { logger } = await createFaults(undefined);
    logger.warn({ file: 'a.yaml' }, 'The file changed.');
    await logger.flush();
  } finally {
    if (before === undefined) Reflect.deleteProperty(process.stderr, 'isTTY');
    else Object.defineProperty(process.stderr, 'isTTY', before);
  }
  expect(written).toEqual([expect.stringMatching(line)]);
});
