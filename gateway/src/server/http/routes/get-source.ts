import { ToolcribError } from '../../../errors.ts';
import { allowsReading } from '../../../operations/index.ts';
import { profileOf } from '../profile-of.ts';
import { route } from '../route.ts';
import { shownToUser } from './list-sources.ts';
import { SOURCE_NAME, SOURCE_REPORT, sourcesOf } from './source-schemas.ts';

export const getSource = route({
  method: 'get',
  path: '/api/v1/sources/{name}',
  operationId: 'getSource',
  summary: 'Get how a source is, what was compiled of it, what was not, and what differs from the lock',
  description: 'A user sees how it is; the report is for the operator.',
  access: 'read',
  tag: 'catalog',
  params: SOURCE_NAME,
  response: { description: 'The source.', schema: SOURCE_REPORT },
  handle: async ({ params: { name } }, { gateway, principal }) => {
    const profile = (await profileOf(gateway, principal)).sources.find((one) => one.name === name);
    const connection = profile === undefined ? {} : { connection: profile.connection };
    if (principal.kind === 'user' && (profile === undefined || !allowsReading(profile.level)))
      throw new ToolcribError('source_unknown', `There is no source named ${name}.`);
    const report = await sourcesOf(gateway).report(name);
    const source = { ...report.source, ...connection };
    return principal.kind === 'user' ? { source: shownToUser(source) } : { ...report, source };
  },
});
