import { type CallChannel, isObject, type JsonObject } from '../../operations/index.ts';
import { ENVELOPE } from '../envelope-keys.ts';
import { CLIENT_INFO, MODERN_VERSION } from './connect-client.ts';
import { WIDEST_CAPABILITIES } from './questions.ts';

const QUESTIONS = ['elicitation', 'sampling', 'roots'] as const;

/**
 * Params with the `_meta` that every request of 2026-07-28 carries: the capabilities are those of the caller, since
 * its answers are the only ones that can be given, and log messages come only to a caller who hears them.
 * @param extensions of the protocol that this request can deal with
 */
export function modernEnvelope(
  params: JsonObject,
  channel: CallChannel | undefined,
  extensions: readonly string[] = [],
): JsonObject {
  const meta = params['_meta'];
  return {
    ...params,
    _meta: {
      [ENVELOPE.version]: MODERN_VERSION,
      [ENVELOPE.client]: { ...CLIENT_INFO },
      [ENVELOPE.capabilities]: {
        ...capabilitiesOf(channel),
        ...(extensions.length === 0
          ? {}
          : { extensions: Object.fromEntries(extensions.map((name) => [name, {}])) }),
      },
      ...(channel?.log === undefined ? {} : { [ENVELOPE.logLevel]: channel.logLevel ?? 'debug' }),
      ...(isObject(meta) ? meta : {}),
    },
  };
}

function capabilitiesOf(channel: CallChannel | undefined): JsonObject {
  const declared = channel?.clientCapabilities;
  if (declared === undefined) return channel?.ask === undefined ? {} : structuredClone(WIDEST_CAPABILITIES);
  const capabilities: JsonObject = {};
  for (const kind of QUESTIONS) {
    const value = declared[kind];
    if (isObject(value)) capabilities[kind] = value;
  }
  return capabilities;
}
