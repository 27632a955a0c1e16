import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AzureRoom, type AzureRoomOptions, createAzureRoom } from '../../../src/connectors/index.ts';
import type { AzureTokens } from '../../../src/credentials/azure/index.ts';
import { createEgress } from '../../../src/egress/index.ts';
import type { AzureSettings } from '../../../src/operations/index.ts';
import { GROUP, type SmallArm, SUBSCRIPTION, startSmallArm } from './small-arm.ts';

export const TOKEN = 'header.cGF5bG9hZC1vZi10aGUtdG9rZW4.signature-0123456789';
export const RETRY = { maxAttempts: 3, baseDelayMs: 1, maxDelayMs: 2_000 };

export const settingsFor = (armEndpoint: string, more: Partial<AzureSettings> = {}): AzureSettings => ({
  subscription: SUBSCRIPTION,
  resourceGroup: GROUP,
  location: 'westus',
  authentication: 'envvar',
  armEndpoint,
  scope: 'https://management.azure.com/.default',
  includeDeprecated: true,
  dynamicValues: 'explain',
  pages: 10,
  refreshMs: 0,
  consentRedirectUrl: 'https://elsewhere.example/back',
  ...more,
});

/** Hands out `values` in turn, the next one when the last was refused. */
export function tokensOf(
  values: readonly string[] = [TOKEN],
  claims: object = { objectId: 'oid-1', tenantId: 'tid-1' },
) {
  const refused: string[] = [];
  let at = 0;
  const tokens: AzureTokens = {
    token: async () => ({ value: values[at]!, claims: () => claims }),
    refused(value) {
      refused.push(value);
      if (at + 1 >= values.length) return false;
      at++;
      return true;
    },
  };
  return { tokens, refused };
}

export interface Bench {
  readonly arm: SmallArm;
  readonly room: AzureRoom;
  readonly directory: string;
  /** How often the source was compiled again. */
  readonly refreshes: number;
  readonly reports: string[];
  /** Another room over the same folder, as the next start of the program. */
  again(more?: Partial<AzureRoomOptions>): Bench;
  close(): Promise<void>;
}

export interface BenchOptions extends Partial<Omit<AzureRoomOptions, 'settings'>> {
  readonly settings?: Partial<AzureSettings>;
  /** Further hosts that the door lets through. */
  readonly allow?: readonly string[];
}

/** A room at an Azure of its own, with nothing in it. */
export async function openBench(options: BenchOptions = {}): Promise<Bench> {
  const arm = await startSmallArm();
  const directory = await mkdtemp(join(tmpdir(), 'azure-room-'));
  const { settings, allow = [], ...more } = options;
  const egress = createEgress({ allow: [new URL(arm.url).host, ...allow] });
  const rooms: AzureRoom[] = [];
  const open = (others: Partial<AzureRoomOptions>): Bench => {
    const reports: string[] = [];
    const bench = { refreshes: 0 };
    const room = createAzureRoom({
      name: 'office',
      settings: settingsFor(arm.url, settings),
      egress,
      token: tokensOf().tokens,
      directory: join(directory, 'office'),
      refresh: async () => {
        bench.refreshes++;
      },
      report: (error, what) => void reports.push(`${what}: ${(error as Error).message}`),
      userAgent: () => 'toolcrib/test',
      patienceMs: 10_000,
      retry: RETRY,
      ...others,
    });
    rooms.push(room);
    return {
      arm,
      room,
      directory: join(directory, 'office'),
      reports,
      get refreshes() {
        return bench.refreshes;
      },
      again: (further = {}) => open({ ...more, ...further }),
      async close() {
        await Promise.all(rooms.map((each) => each.close()));
        await egress.close();
        await arm.close();
        await rm(directory, { recursive: true, force: true });
      },
    };
  };
  return open(more);
}

export const never = new AbortController().signal;
