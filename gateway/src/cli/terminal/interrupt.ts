/**
 * What Ctrl+C does, where raw mode takes it from the system. On Windows any signal from a process ends the other at
 * once, so that who listens is told here.
 */
export function interrupt(platform: NodeJS.Platform = process.platform): void {
  if (platform === 'win32' && process.emit('SIGINT')) return;
  process.kill(process.pid, 'SIGINT');
}
