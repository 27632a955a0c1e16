import { EgressFailure, type LocalDestination, type OutgoingRequest } from './egress.ts';
import type { RawAnswer } from './exchange.ts';
import type { Lifetime } from './lifetime.ts';
import type { WireRequest } from './wire-request.ts';

/** The same hop as `exchange`, to a destination inside this process. Rejects with EgressFailure. */
export function localExchange(
  destination: LocalDestination,
  request: WireRequest,
  outgoing: OutgoingRequest,
  maxBytes: number,
  lifetime: Lifetime,
): Promise<RawAnswer> {
  const { host } = request.url;
  return new Promise((resolve, reject) => {
    const fail = (failure: EgressFailure) => {
      lifetime.listen(undefined);
      reject(failure);
    };
    if (lifetime.ending) {
      return fail(new EgressFailure(lifetime.ending.kind, 'none', `${host}: ${lifetime.ending.reason}`));
    }
    lifetime.listen((ending) => fail(new EgressFailure(ending.kind, 'all', `${host}: ${ending.reason}`)));
    answer(destination, request, outgoing, maxBytes, lifetime).then(
      (done) => {
        lifetime.listen(undefined);
        resolve(done);
      },
      (cause: unknown) =>
        fail(
          cause instanceof EgressFailure
            ? cause
            : new EgressFailure('reset', 'all', `${host} failed inside this process`, { cause }),
        ),
    );
  });
}

async function answer(
  destination: LocalDestination,
  wire: WireRequest,
  outgoing: OutgoingRequest,
  maxBytes: number,
  lifetime: Lifetime,
): Promise<RawAnswer> {
  const response = await destination(requestOf(wire, lifetime.signal()), outgoing);
  const headers: Record<string, string> = Object.create(null);
  for (const [name, value] of response.headers) if (name !== 'set-cookie') headers[name] = value;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) {
      throw new EgressFailure(
        'too_large',
        'all',
        `${wire.url.host} answered with more than ${maxBytes} bytes`,
        {
          status: response.status,
        },
      );
    }
    chunks.push(chunk);
  }
  return {
    status: response.status,
    headers,
    location: headers['location'],
    cookies: response.headers.getSetCookie(),
    body: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size),
  };
}

function requestOf(wire: WireRequest, signal: AbortSignal): Request {
  const headers = new Headers();
  for (let at = 0; at < wire.headers.length; at += 2) {
    headers.append(wire.headers[at]!, wire.headers[at + 1]!);
  }
  try {
    const body = wire.body === undefined ? {} : { body: wire.body as Uint8Array<ArrayBuffer> };
    return new Request(wire.url, { method: wire.method, headers, signal, ...body });
  } catch (cause) {
    throw new EgressFailure('request_invalid', 'none', `The request to ${wire.url.host} cannot be formed`, {
      cause,
    });
  }
}
