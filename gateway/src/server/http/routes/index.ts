import type { Route } from '../route.ts';
import { acceptCatalog } from './accept-catalog.ts';
import { callTool } from './call-tool.ts';
import { getArtifact } from './get-artifact.ts';
import { getCatalog } from './get-catalog.ts';
import { getCatalogDiff } from './get-catalog-diff.ts';
import { getCatalogReport } from './get-catalog-report.ts';
import { getConfig } from './get-config.ts';
import { getOpenapi } from './get-openapi.ts';
import { getTool } from './get-tool.ts';
import { listEvents } from './list-events.ts';
import { listSources } from './list-sources.ts';
import { listTools } from './list-tools.ts';

/** The HTTP API. A new route is one file and one line here. */
export const ROUTES: readonly Route[] = [
  getOpenapi,
  getConfig,
  listTools,
  getTool,
  callTool,
  listEvents,
  listSources,
  getCatalog,
  getCatalogReport,
  getCatalogDiff,
  acceptCatalog,
  getArtifact,
];
