import { asToolcribError, ERRORS, type ToolcribError } from '../errors.ts';
import { fileError } from '../files/file-error.ts';
import { BrokenOff } from './broken-off.ts';
import { json, painter, type Terminal } from './terminal/terminal.ts';

/** Says on standard error what happened, where, and what to do next; answers with the exit code. */
export function reportError(thrown: unknown, terminal: Terminal, asJson: boolean): number {
  const error = fileError(thrown) ?? asToolcribError(thrown);
  if (asJson) terminal.note(json({ error: errorBody(error) }));
  else for (const line of errorLines(error, terminal)) terminal.note(line);
  if (error.code === 'internal') {
    const cause = error.cause instanceof Error ? error.cause : error;
    terminal.note(cause.stack ?? cause.message);
  }
  return error instanceof BrokenOff ? error.exit : ERRORS[error.code].exit;
}

function errorLines(error: ToolcribError, terminal: Terminal): string[] {
  const paint = painter(terminal);
  const place = [error.location, error.pointer].filter((part) => part !== undefined).join(' ');
  // whoever breaks off made no mistake
  const head =
    error.code === 'cancelled'
      ? paint('yellow', 'cancelled:')
      : paint(['bold', 'red'], `error ${error.code}:`);
  return [`${head} ${error.message}`, ...(place === '' ? [] : [`  at:   ${place}`]), `  next: ${error.next}`];
}

function errorBody(error: ToolcribError): object {
  const { code, message, location, pointer, status, details, next } = error;
  return { code, message, location, pointer, status, details, next };
}
