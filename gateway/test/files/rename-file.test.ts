import { expect, it, vi } from 'vitest';
import { renameFile } from '../../src/files/rename-file.ts';

const refusal = (code: string) => Object.assign(new Error(code), { code });

it.each(['EPERM', 'EACCES', 'EBUSY'])(
  'waits on Windows while somebody has the place open (%s)',
  async (code) => {
    const move = vi.fn().mockRejectedValueOnce(refusal(code)).mockRejectedValueOnce(refusal(code));
    await renameFile('a', 'b', move, 'win32');
    expect(move).toHaveBeenCalledTimes(3);
    expect(move).toHaveBeenLastCalledWith('a', 'b');
  },
);

it.each([
  ['win32', 'ENOENT'],
  ['linux', 'EPERM'],
] as const)('says at once on %s what waiting does not mend (%s)', async (platform, code) => {
  const move = vi.fn().mockRejectedValue(refusal(code));
  await expect(renameFile('a', 'b', move, platform)).rejects.toThrow(code);
  expect(move).toHaveBeenCalledOnce();
});

it('says on Windows after a while that a place stays closed', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const move = vi.fn(async () => {
      vi.advanceTimersByTime(1_500);
      throw refusal('EPERM');
    });
    await expect(renameFile('a', 'b', move, 'win32')).rejects.toThrow('EPERM');
    expect(move).toHaveBeenCalledTimes(2);
  } finally {
    vi.useRealTimers();
  }
});
