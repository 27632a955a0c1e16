import { isToolcribError, ToolcribError } from '../errors.ts';
import { canonicalJson } from '../operations/index.ts';
import { unknownSource } from '../operations/unknown-source.ts';
import { withinTime } from '../operations/work/within-time.ts';
import type { OpenedTransport, OpenTransport } from './transports/transport.ts';
import { createUpstream, type Upstream } from './upstream.ts';
import type { UpstreamChange, Upstreams, UpstreamsOptions } from './upstreams.ts';

/** `record` is told of starts, stops and failures, and must not throw. */
export interface UpstreamsDependencies extends UpstreamsOptions {
  readonly openTransport: OpenTransport;
  /** Takes secrets out of what servers answer instead of a handshake. */
  readonly redact?: (text: string) => string;
}

const CLOSE_MS = 1_950;

/** Nothing is started before it is asked for. */
export function createUpstreams({
  record,
  openTransport,
  redact = (text) => text,
}: UpstreamsDependencies): Upstreams {
  const upstreams = new Map<string, Upstream>();
  const leaving = new Set<Upstream>();
  const listeners = new Set<(name: string, change: UpstreamChange) => void>();
  const follows = new Map<string, Map<string, number>>();
  const transports = new Set<OpenedTransport>();
  let closed = false;

  /** Our own end takes every process along, also where nothing could be awaited any more. */
  const onExit = () => {
    for (const transport of transports) transport.killNow?.();
  };
  process.once('exit', onExit);

  const upstreamOf = (name: string): Upstream => {
    const upstream = upstreams.get(name);
    if (upstream !== undefined && !closed) return upstream;
    throw closed
      ? new ToolcribError('upstream_unavailable', 'The gateway is closing; nothing was sent.')
      : unknownSource(name, { what: 'upstream server' });
  };

  /** Who waited for a server whose definition was exchanged goes on with the new one: nothing was sent. */
  const within = async <T>(name: string, run: (upstream: Upstream) => Promise<T>): Promise<T> => {
    const upstream = upstreamOf(name);
    try {
      return await run(upstream);
    } catch (error) {
      const next = upstreams.get(name);
      const isExchanged = next !== undefined && next !== upstream && !closed;
      if (!isExchanged || !isToolcribError(error) || error.code !== 'upstream_unavailable') throw error;
      return await run(next);
    }
  };

  /** In a turn of its own: what a listener does, or fails to do, is not the session's concern. */
  const tell = (name: string, change: UpstreamChange) => {
    for (const listener of listeners)
      queueMicrotask(() => {
        if (listeners.has(listener)) listener(name, change);
      });
  };

  const leave = (upstream: Upstream) => {
    leaving.add(upstream);
    void upstream.retire().finally(() => leaving.delete(upstream));
  };

  return {
    configure(definitions) {
      if (closed) return;
      const names = new Set(definitions.map(({ name }) => name));
      for (const [name, upstream] of upstreams)
        if (!names.has(name)) {
          upstreams.delete(name);
          leave(upstream);
        }
      for (const definition of definitions) {
        const { name } = definition;
        const known = upstreams.get(name);
        if (known !== undefined && canonicalJson(known.definition) === canonicalJson(definition)) continue;
        const created: Upstream = createUpstream({
          definition,
          openTransport,
          record,
          redact,
          transports,
          isWanted: () => listeners.size > 0 || (follows.get(name)?.size ?? 0) > 0,
          followed: () => new Set(follows.get(name)?.keys()),
          onChange(change) {
            if (upstreams.get(name) === created) tell(name, change);
          },
        });
        upstreams.set(name, created);
        if (known !== undefined) leave(known);
      }
    },
    list: (name, signal) => within(name, (upstream) => upstream.list(signal)),
    ready: (name, request) => within(name, (upstream) => upstream.ready(request)),
    call: (name, tool, args, request) => within(name, (upstream) => upstream.call(tool, args, request)),
    read: (name, uri, request) => within(name, (upstream) => upstream.read(uri, request)),
    prompt: (name, prompt, args, request) =>
      within(name, (upstream) => upstream.prompt(prompt, args, request)),
    complete: (name, question, request) => within(name, (upstream) => upstream.complete(question, request)),
    follow(name, uri) {
      const uris = follows.get(name) ?? new Map<string, number>();
      follows.set(name, uris);
      const count = uris.get(uri) ?? 0;
      uris.set(uri, count + 1);
      if (count === 0) upstreams.get(name)?.refollow();
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        const left = (uris.get(uri) ?? 1) - 1;
        if (left > 0) uris.set(uri, left);
        else {
          uris.delete(uri);
          upstreams.get(name)?.refollow();
        }
      };
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    states: () => [...upstreams.values()].map((upstream) => upstream.state()),
    async close() {
      closed = true;
      const all = [...upstreams.values(), ...leaving];
      const ended = Promise.allSettled(all.map((upstream) => upstream.end()));
      await withinTime(CLOSE_MS, ended);
      onExit();
      process.off('exit', onExit);
    },
  };
}
