import { z } from 'zod';
import type { AuthConfiguration } from '../../../../config/configuration.ts';
import { DEFAULTS } from '../../../../config/defaults.ts';
import { skillsConfig } from '../../capability-profile.ts';
import { profileOf } from '../../profile-of.ts';
import { route } from '../../route.ts';
import { LEVEL } from '../record-schemas.ts';

const PROTOCOL_VERSIONS = ['2025-06-18', '2025-11-25', '2026-07-28'];

export const getConfig = route({
  method: 'get',
  path: '/api/v1/config',
  operationId: 'getConfig',
  summary: 'Get the capability profile of this gateway and of the caller',
  description:
    'Version, protocol revisions, topologies, limits and settings that clients may rely on, and what the caller may do. Holds no secret.',
  access: 'read',
  tag: 'server',
  response: {
    description: 'The capability profile.',
    schema: z.object({
      name: z.string(),
      version: z.string(),
      protocolVersions: z.array(z.string()),
      topology: z.string(),
      topologies: z.array(z.string()),
      toolFormats: z.array(z.string()),
      schemaProfile: z.string(),
      output: z.object({ strict: z.boolean(), schemas: z.boolean() }),
      lock: z.object({ mode: z.string() }),
      limits: z.object({ maxBodyBytes: z.number().int(), drainMs: z.number().int() }),
      tokenRequired: z.boolean(),
      watch: z.boolean(),
      /** Where clients and people reach it, where the configuration says so. */
      publicUrl: z.string().optional(),
      auth: z.object({
        mode: z.enum(['local', 'team']),
        /** Who signs people in. */
        issuer: z.string().optional(),
        scopes: z.array(z.string()).optional(),
      }),
      principal: z.object({
        id: z.string(),
        kind: z.enum(['local', 'token', 'user']),
        organisation: z.string().nullable(),
        roles: z.array(z.string()),
        maxAccess: z.enum(['read', 'write', 'delete']),
        expiresAt: z.string().nullable(),
      }),
      capabilities: z.looseObject({
        hasATS: z.boolean(),
        atsProvider: z.string().nullable(),
        effectiveAccess: z.record(z.string(), LEVEL),
        sources: z.array(
          z.object({
            name: z.string(),
            provider: z.string().optional(),
            category: z.string(),
            level: LEVEL,
            connection: z.enum(['connected', 'unauthenticated', 'disabled', 'missing']),
            integration: z.string().optional().describe('In which members connect accounts of it, at Nango.'),
          }),
        ),
      }),
    }),
  },
  handle: async (_input, { gateway, principal }) => {
    const { topology, schemaProfile, output, lock, server, watch, auth } = gateway.configuration;
    const profile = await profileOf(gateway, principal);
    const { id, kind, organisation = null, maxAccess, expiresAt } = principal;
    return {
      name: gateway.name,
      version: gateway.version,
      protocolVersions: PROTOCOL_VERSIONS,
      topology,
      topologies: gateway.topologies ?? DEFAULTS.topologies,
      toolFormats: ['mcp', 'openai', 'anthropic'],
      schemaProfile,
      output: { strict: output.strict, schemas: output.schemas },
      lock: { mode: lock.mode },
      limits: { maxBodyBytes: server.maxBodyBytes, drainMs: server.drainMs },
      tokenRequired: server.token !== undefined || auth.mode === 'team',
      watch,
      ...(server.publicUrl === undefined ? {} : { publicUrl: server.publicUrl }),
      auth: { mode: auth.mode, ...signInOf(auth) },
      principal: {
        id,
        kind,
        organisation,
        roles: profile.roles,
        maxAccess,
        expiresAt: expiresAt === undefined ? null : new Date(expiresAt).toISOString(),
      },
      capabilities: { ...skillsConfig(profile), sources: profile.sources },
    };
  },
});

/** As clients are told where nobody has signed in yet. */
function signInOf({ mode, jwt }: AuthConfiguration) {
  if (mode !== 'team' || jwt === undefined) return {};
  return { issuer: jwt.issuer, ...(jwt.scopes === undefined ? {} : { scopes: [...jwt.scopes] }) };
}
