import { z } from 'zod';
import { route } from '../../route.ts';
import { ACCESS, DIAGNOSTIC } from '../schemas.ts';

/** Findings of the lock among the catalog's diagnostics. */
const LOCK_FINDING = /^tool-(added|changed|removed|rejected)$/;

export const getCatalogDiff = route({
  method: 'get',
  path: '/api/v1/catalog/diff',
  operationId: 'getCatalogDiff',
  summary: 'Get what differs from the lock and waits for acceptance',
  access: 'read',
  tag: 'catalog',
  audience: 'operator',
  response: {
    description: 'Quarantined tools, and what the lock found.',
    schema: z.object({
      catalog: z.string(),
      quarantined: z.array(
        z.object({
          tool: z.string(),
          source: z.string(),
          operation: z.string(),
          access: ACCESS,
          hash: z.string(),
        }),
      ),
      findings: z.array(DIAGNOSTIC),
    }),
  },
  handle: (_input, { gateway, principal }) => {
    const { catalog } = gateway.view(principal);
    const quarantined = catalog.entries
      .filter((entry) => entry.quarantined)
      .map(({ tool, source, facts, hash }) => ({
        tool: tool.name,
        source,
        operation: facts.id,
        access: facts.access,
        hash,
      }));
    return {
      catalog: catalog.hash,
      quarantined,
      findings: gateway.diagnostics().filter(({ code }) => LOCK_FINDING.test(code)),
    };
  },
});
