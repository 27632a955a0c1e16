import { authorityOptions } from './authority.ts';
import type { CredentialNeeds, OpenCredential } from './azure-credential.ts';
import { canOpenBrowser } from './can-open-browser.ts';
import type { IdentityDoor } from './identity-door.ts';
import { watchServers } from './opened-servers.ts';

/** A person signs in: in a browser where one can be opened, else with a code on any other machine. */
export async function openInteractiveCredential(
  { settings, env, prompt }: CredentialNeeds,
  door: IdentityDoor,
): Promise<OpenCredential> {
  const { DeviceCodeCredential, InteractiveBrowserCredential } = await import('@azure/identity');
  const options = authorityOptions(settings, env, door);
  const { failure } = door;
  if (!canOpenBrowser(env)) {
    const credential = new DeviceCodeCredential({
      ...options,
      userPromptCallback: ({ verificationUri, userCode }) =>
        prompt(`To sign in, open ${plain(verificationUri)} and enter the code ${plain(userCode)}.`),
    });
    return { credential, failure };
  }
  const browser = new InteractiveBrowserCredential(options);
  const servers = watchServers(() =>
    prompt('To sign in, go to the browser window that has opened, and finish there.'),
  );
  return {
    credential: { getToken: (scopes, request) => servers.during(() => browser.getToken(scopes, request)) },
    failure,
    close: () => servers.close(),
  };
}

/** It goes to a terminal, and into the errors of calls. */
function plain(text: string): string {
  return text.replace(/[^\x21-\x7e]/g, '').slice(0, 300);
}
