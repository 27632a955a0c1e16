import { allowsReading } from '../../../../operations/index.ts';
import { unknownSource } from '../../../../operations/unknown-source.ts';
import { profileOf } from '../../profile-of.ts';
import { route } from '../../route.ts';
import { hidesText } from '../../shown-configuration.ts';
import { shownToUser } from './list-sources.ts';
import { SOURCE_NAME, SOURCE_REPORT, sourcesOf } from './source-schemas.ts';

export const getSource = route({
  method: 'get',
  path: '/api/v1/sources/{name}',
  operationId: 'getSource',
  summary: 'Get how a source is, what was compiled of it, what was not, and what differs from the lock',
  description:
    'A user sees how it is; the report is for the operator. An entry with values in headers, variables or options that may be secret is shown in the session of the owner only.',
  access: 'read',
  tag: 'catalog',
  params: SOURCE_NAME,
  response: { description: 'The source.', schema: SOURCE_REPORT },
  handle: async ({ params: { name } }, { gateway, principal, session }) => {
    const profile = (await profileOf(gateway, principal)).sources.find((one) => one.name === name);
    const connection = profile === undefined ? {} : { connection: profile.connection };
    if (principal.kind === 'user' && (profile === undefined || !allowsReading(profile.level)))
      throw unknownSource(name);
    const report = await sourcesOf(gateway).report(name);
    const source = { ...report.source, ...connection };
    if (principal.kind === 'user') return { source: shownToUser(source) };
    const { entry, ...others } = report;
    const isShown = entry !== undefined && (session?.kind === 'owner' || !hidesText(entry.value));
    return { ...others, source, ...(isShown ? { entry } : {}) };
  },
});
