import { expect, onTestFinished, test, vi } from 'vitest';
import { interrupt } from '../../../src/cli/terminal/interrupt.ts';

test('on Windows who listens for Ctrl+C is told, since a signal would end the process at once', () => {
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
  const told = vi.fn();
  process.once('SIGINT', told);
  onTestFinished(() => {
    kill.mockRestore();
    process.off('SIGINT', told);
  });
  interrupt('win32');
  expect(told).toHaveBeenCalledOnce();
  expect(kill).not.toHaveBeenCalled();
});

test.each(['linux', 'win32'] as const)('where nobody listens the process ends (%s)', (platform) => {
  const listening = process.listeners('SIGINT');
  process.removeAllListeners('SIGINT');
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
  onTestFinished(() => {
    kill.mockRestore();
    for (const listener of listening) process.on('SIGINT', listener);
  });
  interrupt(platform);
  expect(kill).toHaveBeenCalledExactlyOnceWith(process.pid, 'SIGINT');
});
