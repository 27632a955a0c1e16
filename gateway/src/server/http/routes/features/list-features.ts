import { z } from 'zod';
import { allowsReading } from '../../../../operations/index.ts';
import { profileOf } from '../../profile-of.ts';
import { route } from '../../route.ts';
import { FEATURE, featuresOf } from './feature-schemas.ts';

export const listFeatures = route({
  method: 'get',
  path: '/api/v1/features',
  operationId: 'listFeatures',
  summary: 'List the features: groups of operations that can be switched off',
  description: 'A user sees those of sources that the user may use.',
  access: 'read',
  tag: 'features',
  response: {
    description: 'Features in order of their names, as of now.',
    schema: z.object({ features: z.array(FEATURE) }),
  },
  handle: async (_input, { gateway, principal }) => {
    const features = await featuresOf(gateway).list();
    if (principal.kind !== 'user') return { features };
    const { sources } = await profileOf(gateway, principal);
    const usable = new Set(sources.filter(({ level }) => allowsReading(level)).map(({ name }) => name));
    // who switched it is the operator's business
    const shown = features.map(({ changedAt: _at, changedBy: _by, ...feature }) => feature);
    return { features: shown.filter(({ source }) => usable.has(source)) };
  },
});
