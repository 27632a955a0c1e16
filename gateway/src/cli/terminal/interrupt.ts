/**
 * What Ctrl-C does, where raw mode takes it from the system. Who listens is told at once: a signal would come when the
 * command may have gone on and ended already, and on Windows ends the process.
 */
export function interrupt(): void {
  if (!process.emit('SIGINT', 'SIGINT')) process.kill(process.pid, 'SIGINT');
}
