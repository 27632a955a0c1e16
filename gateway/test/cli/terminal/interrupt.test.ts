import { expect, onTestFinished, test, vi } from 'vitest';
import { interrupt } from '../../../src/cli/terminal/interrupt.ts';

test('who listens for Ctrl-C is told before anything goes on, with the signal', () => {
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
  const told = vi.fn();
  process.once('SIGINT', told);
  onTestFinished(() => {
    kill.mockRestore();
    process.off('SIGINT', told);
  });
  interrupt();
  expect(told).toHaveBeenCalledExactlyOnceWith('SIGINT');
  expect(kill).not.toHaveBeenCalled();
});

test('where nobody listens the process ends', () => {
  const listening = process.listeners('SIGINT');
  process.removeAllListeners('SIGINT');
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
  onTestFinished(() => {
    kill.mockRestore();
    for (const listener of listening) process.on('SIGINT', listener);
  });
  interrupt();
  expect(kill).toHaveBeenCalledExactlyOnceWith(process.pid, 'SIGINT');
});
