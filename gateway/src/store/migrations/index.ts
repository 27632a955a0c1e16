import { tables } from './001-tables.ts';
import { approvals } from './002-approvals.ts';
import { budgets } from './003-budgets.ts';
import { artifacts } from './004-artifacts.ts';
import { callIndex } from './005-call-index.ts';
import { taints } from './006-taints.ts';
import { activatedTools } from './007-activated-tools.ts';
import { features } from './008-features.ts';
import { usageIndex } from './009-usage-index.ts';
import { skillAgreements } from './010-skill-agreements.ts';
import { sessions } from './011-sessions.ts';
import { keyUses } from './012-key-uses.ts';
import { connectionProviders } from './013-connection-providers.ts';
import { artifactPlaces } from './014-artifact-places.ts';
import { tasks } from './015-tasks.ts';
import { sourcesOfOutputs } from './016-sources-of-outputs.ts';
import { endedAccounts } from './017-ended-accounts.ts';
import type { Migration } from './migration.ts';

/** In order; a migration's version is its place, from 1. Only ever added to. */
export const MIGRATIONS: readonly Migration[] = [
  tables,
  approvals,
  budgets,
  artifacts,
  callIndex,
  taints,
  activatedTools,
  features,
  usageIndex,
  skillAgreements,
  sessions,
  keyUses,
  connectionProviders,
  artifactPlaces,
  tasks,
  sourcesOfOutputs,
  endedAccounts,
];
