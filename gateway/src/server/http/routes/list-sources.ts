import { z } from 'zod';
import { allowsReading } from '../../../operations/index.ts';
import { profileOf } from '../profile-of.ts';
import { route } from '../route.ts';
import { SOURCE } from './schemas.ts';

export const listSources = route({
  method: 'get',
  path: '/api/v1/sources',
  operationId: 'listSources',
  summary: 'List the sources and how their last read went',
  description: 'A user sees those that the own level opens.',
  access: 'read',
  tag: 'catalog',
  response: {
    description: 'Sources in the order of the configuration.',
    schema: z.object({ sources: z.array(SOURCE) }),
  },
  handle: async (_input, { gateway, principal }) => {
    const { sources } = gateway.view(principal).catalog;
    if (principal.kind !== 'user') return { sources };
    const profile = await profileOf(gateway, principal);
    const usable = profile.sources.filter(({ level }) => allowsReading(level));
    const names = new Set(usable.map(({ name }) => name));
    return { sources: sources.filter(({ name }) => names.has(name)) };
  },
});
