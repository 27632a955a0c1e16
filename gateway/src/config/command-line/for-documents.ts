import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { withNamedDestinations } from '../allowed-destinations.ts';
import type { Configuration, SourceConfiguration } from '../configuration.ts';
import { DEFAULTS } from '../defaults.ts';
import { absolutePath, defaultStateDirectory, type Environment } from '../directories.ts';
import { egressConfiguration } from '../settings/egress.ts';
import { defaultRecords } from '../settings/records.ts';
import { applyOverrides, type ConfigurationOverrides } from './overrides.ts';

export interface DocumentOptions {
  readonly overrides?: ConfigurationOverrides;
  readonly env: Environment;
  readonly cwd: string;
}

/**
 * The configuration behind `toolcrib serve SPEC…`: one source a document or folder of skills, named after it. One document
 * has no prefix. Lock and report lie in the state directory, so that a working directory stays clean.
 */
export function configurationForDocuments(
  documents: readonly string[],
  { overrides = {}, env, cwd }: DocumentOptions,
): Configuration {
  const locations = documents.map((document) =>
    document === '-' || /^(https?|file):/i.test(document) ? document : absolutePath(document, cwd, env),
  );
  const stateDirectory = overrides.stateDirectory ?? defaultStateDirectory(env);
  const key = createHash('sha256').update(JSON.stringify(locations)).digest('hex').slice(0, 16);
  const lockDirectory = overrides.lockDirectory ?? join(stateDirectory, 'documents', key);
  const configuration: Configuration = {
    name: DEFAULTS.name,
    topology: DEFAULTS.topology,
    baseDirectory: resolve(cwd),
    stateDirectory,
    sources: sourcesOf(locations),
    mcpServers: {},
    egress: egressConfiguration(undefined, { env, baseDirectory: cwd }),
    lock: {
      mode: DEFAULTS.lockMode,
      file: join(lockDirectory, DEFAULTS.lockFile),
      report: join(lockDirectory, DEFAULTS.reportFile),
    },
    output: { strict: false, schemas: true },
    server: {
      host: DEFAULTS.host,
      port: DEFAULTS.port,
      allowedHosts: [],
      allowedOrigins: [],
      maxBodyBytes: DEFAULTS.maxBodyBytes,
      drainMs: DEFAULTS.drainMs,
    },
    store: `sqlite:${join(stateDirectory, DEFAULTS.storeFile)}`,
    ...defaultRecords(stateDirectory),
    auth: { mode: 'local' },
    policy: { defaults: { organisation: { '*': DEFAULTS.level }, user: { '*': DEFAULTS.level } } },
    retention: { eventDays: DEFAULTS.eventDays, usageDays: DEFAULTS.usageDays },
    tools: 'dynamic',
    categories: [],
    schemaProfile: 'portable',
    watch: true,
    cache: true,
  };
  const overridden = applyOverrides(configuration, overrides, { env, baseDirectory: cwd });
  return { ...overridden, egress: withNamedDestinations(overridden) };
}

function sourcesOf(locations: readonly string[]): Readonly<Record<string, SourceConfiguration>> {
  const sources: Record<string, SourceConfiguration> = {};
  for (const location of locations) {
    const base = sourceName(location);
    let name = base;
    for (let number = 2; Object.hasOwn(sources, name); number += 1) name = `${base.slice(0, 28)}_${number}`;
    sources[name] = {
      ...(isFolder(location)
        ? { kind: 'skills', settings: { roots: [location], secrets: {} }, prefix: 'none' }
        : { kind: 'openapi', settings: location, prefix: locations.length === 1 ? 'none' : name }),
      access: [],
      include: [],
      exclude: [],
    };
  }
  return sources;
}

/** A folder is one of skills: a document is a file. */
function isFolder(location: string): boolean {
  return isAbsolute(location) && statSync(location, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Names that say nothing about the API. */
const GENERIC =
  /^(_?open-?api[\d.]*|swagger[\d.]*|json|ya?ml|oas\d?|api|apis|api-?docs|docs?|(full_)?documentation|spec|specs|schema|index|raw|main|master|v?\d+(\.\d+)*)$/i;

/** `https://api.acme.com/v1/openapi.json` → `acme`; `./pets/openapi.yaml` → `pets`; `-` → `stdin`. */
export function sourceName(location: string): string {
  if (location === '-') return 'stdin';
  const url = URL.parse(location);
  const remote = url !== null && url.hostname !== '' ? url : undefined;
  const path = remote === undefined ? location : remote.pathname;
  const segments = path.split(/[\\/]/).filter((segment) => segment !== '');
  const names = segments.map((segment, index) =>
    index === segments.length - 1
      ? segment
          .replace(/\.gz$/i, '')
          .replace(/\.(json|ya?ml)$/i, '')
          .replace(/[._-](open-?api|swagger)$/i, '')
      : segment,
  );
  const candidates = [...names.reverse(), ...hostLabels(remote)];
  const meaningful = candidates.find((name) => name !== '' && !GENERIC.test(name)) ?? 'api';
  const clean = meaningful
    .replace(/[^A-Za-z0-9_-]+/g, '_')
    .replace(/^[^A-Za-z]+/, '')
    .slice(0, 32);
  return clean === '' || clean === 'constructor' || clean === 'prototype' ? 'api' : clean;
}

function hostLabels(url: URL | undefined): string[] {
  if (url === undefined || /^[\d.]+$|:/.test(url.hostname)) return [];
  const labels = url.hostname.split('.');
  return labels.length > 1 ? labels.slice(0, -1).reverse() : labels;
}
