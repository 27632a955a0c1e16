import type { EgressResponse } from '../../egress/index.ts';
import { isToolcribError } from '../../errors.ts';
import { type ArmClient, armJson } from '../arm-client.ts';
import type { Clock } from '../clock.ts';
import { type ArmConnection, isConnected, readConnection } from '../connections.ts';
import { fetchConnection } from '../fetch-connection.ts';
import type { Known } from '../known.ts';
import { type ConsentOptions, consentingAccount, fetchConsentLink } from './consent-links.ts';
import { consentWatch } from './consent-watch.ts';
import { redirectListener } from './redirect-listener.ts';

export interface ConsentsOptions extends ConsentOptions {
  readonly known: Known;
  readonly clock: Clock;
  readonly life: AbortSignal;
  /** What is known of a connection has changed. */
  changed(): void;
}

/** Consents that were asked for: links, and what became of them. */
export interface Consents {
  link(connection: string, signal: AbortSignal): Promise<string>;
  /** True as soon as the connection is signed in; false after the time or abort. */
  whenConnected(connection: string, timeoutMs: number, signal: AbortSignal): Promise<boolean>;
  close(): void;
}

export function createConsents(options: ConsentsOptions): Consents {
  const { settings, client, paths, known, clock, life, changed } = options;

  /** Azure called them connected when their link was asked for: that it still does, says nothing. */
  const standing = new Set<string>();

  const took = (connection: ArmConnection): boolean => {
    const { name, status } = connection;
    const connected = isConnected(status);
    if (connected && standing.has(name)) return false;
    standing.delete(name);
    const before = known.status(name);
    known.seen(connection);
    if (known.status(name) !== before) changed();
    if (connected) watch.done(name);
    return connected;
  };

  const look = async (name: string): Promise<boolean> => {
    const found = await fetchConnection(options, name, life);
    if (found === undefined) {
      known.gone(name);
      changed();
      return true;
    }
    const connection = readConnection(found.resource, paths, settings);
    return connection === undefined ? false : took({ ...connection, name });
  };

  /** The code says nothing of its connection: the latest that is open is the likeliest. */
  const confirm = async (code: string): Promise<string | undefined> => {
    const names = watch.open();
    if (names.length === 0) return undefined;
    const account = await consentingAccount(options, life);
    let refusal: unknown;
    for (const name of names) {
      try {
        const answer = await confirmCode(client, paths.connection(name), name, { ...account, code }, life);
        standing.delete(name);
        const connection = readConnection(armJson(answer, { what: 'confirm a consent' }), paths, settings);
        if (connection === undefined || !took({ ...connection, name })) await watch.look(name);
        return name;
      } catch (error) {
        const refused = isToolcribError(error) && error.status !== undefined && error.status < 500;
        if (!refused) throw error;
        refusal = error;
      }
    }
    throw refusal;
  };

  const listener = redirectListener({ redirectUrl: settings.consentRedirectUrl, confirm });
  const watch = consentWatch({ clock, look, restMs: client.restMs, idle: listener.close });
  // a sign-in that anybody else saw ends the watch as well
  known.onStatus((name) => {
    if (isConnected(known.status(name)) && !standing.has(name)) watch.done(name);
  });

  return {
    async link(connection, signal) {
      const link = await fetchConsentLink(connection, options, signal);
      if (isConnected(known.connection(connection)?.status)) standing.add(connection);
      else standing.delete(connection);
      watch.watch(connection);
      await listener.open();
      if (watch.open().length === 0) listener.close();
      return link;
    },
    async whenConnected(connection, timeoutMs, signal) {
      if (isConnected(known.status(connection))) return true;
      if (signal.aborted) return false;
      const answer = Promise.withResolvers<boolean>();
      const no = () => answer.resolve(false);
      const cancel = clock.after(timeoutMs, no);
      signal.addEventListener('abort', no, { once: true });
      life.addEventListener('abort', no, { once: true });
      const stop = known.onStatus((name) => {
        if (name === connection && isConnected(known.status(name))) answer.resolve(true);
      });
      void watch.look(connection);
      try {
        return await answer.promise;
      } finally {
        stop();
        cancel();
        signal.removeEventListener('abort', no);
        life.removeEventListener('abort', no);
      }
    },
    close() {
      watch.close();
      listener.close();
    },
  };
}

function confirmCode(
  client: ArmClient,
  path: string,
  name: string,
  body: { readonly objectId: string; readonly tenantId: string; readonly code: string },
  signal: AbortSignal,
): Promise<EgressResponse> {
  const purpose = {
    what: `confirm the consent of ${name}`,
    action: 'Microsoft.Web/connections/confirmConsentCode/action',
  };
  return client.ask(
    { method: 'POST', path: `${path}/confirmConsentCode`, body: { ...body } },
    purpose,
    signal,
  );
}
