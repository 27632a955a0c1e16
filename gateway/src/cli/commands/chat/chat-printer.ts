import type { ChatEvent } from '../../../operations/chat.ts';
import { cutText } from '../../../operations/text/cut-text.ts';
import { printable } from '../../../operations/text/printable.ts';
import { painter, type Terminal } from '../../terminal/terminal.ts';

const MAX_ARGUMENTS = 160;

/**
 * Prints a conversation: what the model says to standard output, all else to standard error.
 * @param wanted the skill that was asked for, which may not be the one that counts
 */
export function createChatPrinter(terminal: Terminal, wanted?: string): (event: ChatEvent) => void {
  const paint = painter(terminal);
  const dim = (text: string) => terminal.note(paint('dim', text));
  const out = lineWriter(terminal);
  return (event) => {
    switch (event.type) {
      case 'start':
        if (event.skill !== undefined) dim(`skill ${printable(event.skill)}: ${printable(event.reason)}`);
        else if (wanted !== undefined) dim(`no skill: ${printable(event.reason)}`);
        break;
      case 'round':
        out.end();
        if (event.final)
          dim(`no tools any more after ${event.round - 1} ${event.round === 2 ? 'round' : 'rounds'}`);
        break;
      case 'message.delta':
        out.write(event.text);
        break;
      case 'tool.call':
        out.end();
        dim(`→ ${printable(event.name)} ${shown(event.arguments)}`);
        break;
      case 'tool.result':
        if (event.status === 'failed')
          dim(`✗ ${printable(event.name)} ${event.error_code}: ${printable(event.message ?? '')}`);
        break;
      case 'approval.required':
        out.end();
        dim(`waits for approval ${event.id}`);
        break;
      case 'done':
        out.end();
        break;
      case 'error':
        out.end();
        terminal.note(`${paint(['bold', 'red'], `error ${event.code}:`)} ${printable(event.message)}`);
        terminal.note(`  next: ${printable(event.next)}`);
        break;
    }
  };
}

function shown(given: object | string): string {
  const text = printable(typeof given === 'string' ? given : JSON.stringify(given));
  return text.length > MAX_ARGUMENTS ? `${cutText(text, MAX_ARGUMENTS)}…` : text;
}

/** Text as it comes where the terminal can show parts of lines, else line by line. */
function lineWriter(terminal: Terminal): { write(text: string): void; end(): void } {
  let line = '';
  let begun = false;
  return {
    write(text) {
      const clean = speakable(text);
      if (terminal.write !== undefined) {
        terminal.write(clean);
        if (clean !== '') begun = !clean.endsWith('\n');
        return;
      }
      const parts = (line + clean).split('\n');
      line = parts.pop()!;
      for (const part of parts) terminal.out(part);
    },
    end() {
      if (begun || line !== '') terminal.out(line);
      line = '';
      begun = false;
    },
  };
}

/** The model repeats what strangers wrote: no escape sequence of theirs reaches the terminal, lines stay lines. */
function speakable(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '');
}
