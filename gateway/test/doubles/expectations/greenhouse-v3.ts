import type { OperationTable, WireRules } from '../operation-table.ts';
import { GREENHOUSE_V3_BLOCKLISTED } from './greenhouse-v3-blocklisted.ts';
import { GREENHOUSE_V3_JOBS, GREENHOUSE_V3_ORGANISATION } from './greenhouse-v3-jobs.ts';
import { GREENHOUSE_V3_APPLICATIONS, GREENHOUSE_V3_PEOPLE } from './greenhouse-v3-people.ts';
import { GREENHOUSE_V3_READS } from './greenhouse-v3-reads.ts';

/** Harvest v3: comma lists; the acting user is the subject of the access token. */
export const GREENHOUSE_V3_RULES: WireRules = { arrays: 'comma', actingUser: { in: 'token' } };

/** The 119 operations of Harvest v3 that are known well enough to ship. */
export const GREENHOUSE_V3_OPERATIONS: OperationTable = {
  ...GREENHOUSE_V3_READS,
  ...GREENHOUSE_V3_PEOPLE,
  ...GREENHOUSE_V3_APPLICATIONS,
  ...GREENHOUSE_V3_JOBS,
  ...GREENHOUSE_V3_ORGANISATION,
  ...GREENHOUSE_V3_BLOCKLISTED,
};
