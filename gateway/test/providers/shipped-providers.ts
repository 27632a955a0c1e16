import { GREENHOUSE_OPERATIONS, GREENHOUSE_RULES } from '../doubles/expectations/greenhouse.ts';
import { GREENHOUSE_V3_OPERATIONS, GREENHOUSE_V3_RULES } from '../doubles/expectations/greenhouse-v3.ts';
import { LEVER_OPERATIONS, LEVER_RULES } from '../doubles/expectations/lever.ts';
import { ZOHO_OPERATIONS, ZOHO_RULES } from '../doubles/expectations/zoho-recruit.ts';
import { startGreenhouse } from '../doubles/greenhouse.ts';
import { type GreenhouseV3Double, startGreenhouseV3 } from '../doubles/greenhouse-v3.ts';
import { startLever } from '../doubles/lever.ts';
import type { OperationTable, WireRules } from '../doubles/operation-table.ts';
import type { ProviderDouble } from '../doubles/provider-double.ts';
import { startZohoRecruit, zohoToken } from '../doubles/zoho-recruit.ts';

export interface ShippedProvider {
  /** Name of the shipped manifest. */
  readonly manifest: string;
  /** Beginning of its tool names. */
  readonly prefix: string;
  readonly operations: OperationTable;
  readonly rules: WireRules;
  /** The caller's user id at the provider. */
  readonly actingUser: string;
  /** The documented Authorization header of every request; `Bearer` alone: any token of the provider's own. */
  readonly authorization: string;
  /** With room for every operation at once. */
  start(): Promise<ProviderDouble>;
  /** What the configuration says for a double. */
  credentials(double: ProviderDouble): object;
}

const basic = (user: string) => `Basic ${Buffer.from(`${user}:`).toString('base64')}`;
const roomy = { requests: 1000, windowMs: 1000 };

export const PROVIDERS: readonly ShippedProvider[] = [
  {
    manifest: 'greenhouse',
    prefix: 'greenhouse_',
    operations: GREENHOUSE_OPERATIONS,
    rules: GREENHOUSE_RULES,
    actingUser: '158104',
    authorization: basic('greenhouse-key'),
    start: () => startGreenhouse(),
    credentials: () => ({ schemes: { basic: { apiKey: 'greenhouse-key:' } } }),
  },
  {
    manifest: 'greenhouse-v3',
    prefix: 'greenhouse_v3_',
    operations: GREENHOUSE_V3_OPERATIONS,
    rules: GREENHOUSE_V3_RULES,
    actingUser: '158104',
    authorization: 'Bearer',
    start: () => startGreenhouseV3({ rateLimit: roomy }),
    credentials: (double) => ({
      oauth2: {
        clientId: 'gh-client',
        clientSecret: 'gh-secret',
        tokenUrl: (double as GreenhouseV3Double).tokenUrl,
      },
    }),
  },
  {
    manifest: 'zoho-recruit',
    prefix: 'zoho_recruit_',
    operations: ZOHO_OPERATIONS,
    rules: ZOHO_RULES,
    actingUser: '',
    authorization: `Zoho-oauthtoken ${zohoToken('us')}`,
    start: () => startZohoRecruit(),
    credentials: () => ({ bearer: zohoToken('us') }),
  },
  {
    manifest: 'lever',
    prefix: 'lever_',
    operations: LEVER_OPERATIONS,
    rules: LEVER_RULES,
    actingUser: '8d49b010-cc6a-4f40-ace5-e86061c677ed',
    authorization: 'Bearer lever-access-token',
    start: () => startLever({ rateLimit: { ...roomy, burst: 1000 } }),
    credentials: () => ({ bearer: 'lever-access-token' }),
  },
];

export const providerOf = (manifest: string): ShippedProvider =>
  PROVIDERS.find((provider) => provider.manifest === manifest)!;
