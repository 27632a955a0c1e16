import { z } from 'zod';
import { includesCredentials } from '../../operations/http/includes-credentials.ts';
import { isLoopbackHost } from '../server-address.ts';
import { closed, duration, httpUrl, text } from './values.ts';

const AUTHENTICATIONS = ['interactive', 'azcli', 'env', 'envvar'] as const;

/** `sources: { office: { azure: … } }`: the API connections of one resource group. */
export const azureShape = closed({
  subscription: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/, 'Is no id of a subscription.')
    .describe('Id of the subscription.'),
  resourceGroup: z
    .string()
    .regex(
      /^[\p{L}\p{N}_().-]{0,89}[\p{L}\p{N}_()-]$/u,
      'A resource group has at most 90 letters, digits, "_", "-", "." or parentheses, and does not end with ".".',
    )
    .describe('Its API connections become tools.'),
  location: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9 ]{0,63}$/, 'A region is a name such as westus.')
    .optional()
    .describe('Region of managed APIs. Default: westus.'),
  authentication: z
    .enum(AUTHENTICATIONS)
    .optional()
    .describe('How tokens are obtained. Default: interactive; azcli in Codespaces.'),
  tenant: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9.-]{0,253}$/, 'A tenant is an id or a domain name.')
    .optional(),
  armEndpoint: origin('An https origin; http on loopback only.', true)
    .optional()
    .describe(
      'Origin of Azure Resource Manager; allowed by the egress door. Default: https://management.azure.com.',
    ),
  scope: z
    .string()
    .regex(/^[A-Za-z0-9_.:/-]+$/, 'Is no scope.')
    .optional()
    .describe("Of tokens. Default: the cloud's, e.g. https://management.azure.com/.default."),
  authorityHost: origin('An https origin.', false)
    .optional()
    .describe('Origin of the sign-in service. Default: AZURE_AUTHORITY_HOST, else that of the cloud.'),
  includeDeprecated: z
    .boolean()
    .optional()
    .describe('Deprecated operations without a newer revision. Default: true.'),
  maxToolsPerApi: z
    .int()
    .min(1)
    .optional()
    .describe('Tools listed of each connection; the rest is found by <api>_discover. Default: all.'),
  connections: z
    .array(text.regex(/^[^/\\?#%]+$/, 'Is no name of a connection.'))
    .min(1, 'Name at least one connection.')
    .optional()
    .describe('Only these connections.'),
  dynamicValues: z
    .enum(['explain', 'check', 'off'])
    .optional()
    .describe(
      'explain: a refused value is answered with the valid ones; check: it is refused before it is sent. Default: explain.',
    ),
  pages: z.int().min(1).max(100).optional().describe('That one call follows. Default: 10; 1: none.'),
  refresh: z
    .union([duration, z.literal(false)])
    .optional()
    .describe('How often connections are listed again; false: never. Default: 5m.'),
  consentRedirectUrl: httpUrl
    .refine((value) => {
      const url = URL.parse(value);
      return url?.protocol !== 'http:' || isConfidential(url);
    }, 'An https URL; http on loopback only.')
    .optional()
    .describe('Where the browser goes after a consent. Default: http://localhost:8080.'),
});

/** What `azure:` may hold, once its schema has checked it. */
export type AzureEntry = z.infer<typeof azureShape>;

/** A URL that is an origin alone: a token goes there. */
function origin(message: string, loopback: boolean) {
  return z.string().refine((value) => {
    const url = URL.parse(value);
    if (url === null || includesCredentials(url)) return false;
    if (url.pathname !== '/' || url.search !== '' || url.hash !== '') return false;
    return loopback ? isConfidential(url) : url.protocol === 'https:';
  }, message);
}

/** Nobody else reads what is sent there. */
function isConfidential({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));
}
