import { ToolcribError } from '../../errors.ts';
import { shownLocation } from '../../operations/http/shown-location.ts';
import {
  canonicalJson,
  type Description,
  type Diagnostic,
  emptyDescription,
  hashBytes,
  type Operation,
  type Skipped,
} from '../../operations/index.ts';
import { fileText } from '../../operations/text/file-text.ts';
import type { SourceContext } from '../source-kind.ts';
import { securityOf } from './auth.ts';
import { blockedBy } from './blocked-operations.ts';
import { compileOperation } from './compile-operation.ts';
import type { ManifestConfig } from './config.ts';
import { manifestLocation } from './location.ts';
import type { ProviderManifest } from './manifest.ts';
import { providerFacts } from './provider-facts.ts';
import { judgeManifest, type ReadManifest, readManifest } from './read-manifest.ts';

/** Increase when the same bytes mean something else. */
const VERSION = 1;

/**
 * Reads a manifest file. One broken operation costs itself, with a diagnostic. Throws `source_unreadable`,
 * `source_invalid` for what concerns the whole, `configuration_invalid` for an unknown shipped name.
 */
export async function describeManifest(config: ManifestConfig, context: SourceContext): Promise<Description> {
  if (typeof config !== 'string' && 'operations' in config)
    return describeManifestValue(config, context.name);
  const location = manifestLocation(config, context.baseDirectory);
  const bytes = await context.reader.read(location, context.signal);
  const read = await readManifest(fileText(bytes), shownLocation(location));
  return describeRead(read, context.name, hashBytes(`${VERSION} ${hashBytes(bytes)}`));
}

/** A manifest that is already a value. Throws `source_invalid`. */
export function describeManifestValue(manifest: ProviderManifest, source: string): Description {
  try {
    const read = judgeManifest(manifest, () => source, source);
    return describeRead(read, source, hashBytes(`${VERSION} ${canonicalJson(manifest)}`));
  } catch (cause) {
    // the stack ended: unlike a file, a value can lead back to itself
    if (!(cause instanceof RangeError)) throw cause;
    const message = `The manifest ${source} cannot be used: a value in it holds itself, or is nested too deeply.`;
    throw new ToolcribError('source_invalid', message, { cause });
  }
}

function describeRead(read: ReadManifest, source: string, fingerprint: string): Description {
  const { manifest } = read;
  const { schemes, alternatives } = securityOf(manifest);
  const operations: Operation[] = [];
  const skipped: Skipped[] = [...read.skipped];
  for (const operation of manifest.operations) {
    const { id, method, path } = operation;
    const entry = blockedBy(path, manifest.blocklist ?? []);
    if (entry === undefined) operations.push(compileOperation(operation, manifest, source, alternatives));
    else
      skipped.push({
        operation: id,
        method,
        path,
        reason: `blocked: ${entry} is on the manifest's blocklist`,
      });
  }
  return {
    ...emptyDescription(fingerprint),
    operations,
    skipped,
    securitySchemes: schemes,
    diagnostics: [...read.diagnostics, ...deprecations(read)],
    info: { title: manifest.displayName, version: manifest.apiVersion },
    provider: providerFacts(manifest),
  };
}

function deprecations({ manifest, placeOf }: ReadManifest): Diagnostic[] {
  const found: Diagnostic[] = [];
  const { deprecated } = manifest;
  if (deprecated !== undefined) {
    const removal = deprecated.removal === undefined ? '' : ` and removed on ${deprecated.removal}`;
    const instead = deprecated.replacement === undefined ? '' : ` Use ${deprecated.replacement} instead.`;
    found.push({
      code: 'provider-deprecated',
      severity: 'warning',
      message: `${manifest.displayName} ${manifest.apiVersion} is deprecated${removal}.${instead}`,
      pointer: '#/deprecated',
    });
  }
  for (const [index, { id, deprecated: own }] of manifest.operations.entries()) {
    if (!own) continue;
    const message = `Operation ${id} is deprecated.`;
    found.push({ code: 'operation-deprecated', severity: 'info', message, ...placeOf(index) });
  }
  return found;
}
