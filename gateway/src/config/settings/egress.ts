import { ToolcribError } from '../../errors.ts';
import { proxyAddress } from '../../operations/proxy-settings.ts';
import type { EgressConfiguration } from '../configuration.ts';
import type { ConfigurationFile } from '../schema/configuration-file.ts';
import { resolveSecret, type SecretContext } from '../secrets.ts';

/** Names a proxy where no configuration does, as for documents on the command line. */
export const PROXY_VARIABLE = 'TOOLCRIB_PROXY';

/** Throws `configuration_invalid`, `credentials_missing`. */
export function egressConfiguration(
  entry: ConfigurationFile['egress'],
  context: SecretContext,
): EgressConfiguration {
  const { allow = [], proxy } = entry ?? {};
  if (proxy === undefined) {
    const url = context.env[PROXY_VARIABLE]?.trim() ?? '';
    if (url === '') return { allow };
    return { allow, proxy: { url: proxyUrl(url, `The environment variable ${PROXY_VARIABLE}`) } };
  }
  const { url, resolve, bypass = [] } = proxy;
  const pointer = '#/egress/proxy/url';
  const address = resolveSecret(url, 'egress.proxy.url', context, pointer);
  return {
    allow,
    proxy: {
      url: proxyUrl(address, 'egress.proxy.url', pointer),
      ...(resolve === undefined ? {} : { resolve }),
      ...(bypass.length === 0 ? {} : { bypass }),
    },
  };
}

/** The value, which may hold a password, stays out of the error. */
function proxyUrl(text: string, where: string, pointer?: string): string {
  const url = proxyAddress(text);
  if (url !== undefined) return url.href;
  throw new ToolcribError(
    'configuration_invalid',
    `${where} is no http or https origin such as http://proxy.example:3128.`,
    pointer === undefined ? {} : { pointer },
  );
}
