import type { ShowAddress } from '../../credentials/sign-in/browser-answer.ts';
import type { Terminal } from './terminal.ts';

export interface SignInPrompt {
  readonly onUrl: ShowAddress;
  /** No answer is waited for any more. */
  end(): void;
}

/**
 * Shows where to sign in. Who sits at another machine than this one is sent to an address where nothing listens, and
 * can bring it back here.
 * @param open opens the address in a browser of this machine; false where there is none
 */
export function signInPrompt(
  name: string,
  terminal: Terminal,
  open: (url: string) => Promise<boolean> = async () => false,
): SignInPrompt {
  let end = () => {};
  return {
    async onUrl(url, offer) {
      const where = (await open(url)) ? 'Your browser opens this address' : 'Open this address';
      terminal.note(`${where} to sign in to ${name}:\n${url}`);
      if (!terminal.interactive || terminal.lines === undefined) return;
      terminal.note(
        'Is your browser on another machine? It ends at an address that cannot be reached: paste it here.',
      );
      end = terminal.lines((line) => {
        if (line.trim() !== '' && !offer(line)) terminal.note('That is no answer to this sign-in.');
      });
    },
    end: () => end(),
  };
}
