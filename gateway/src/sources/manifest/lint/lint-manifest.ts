import type { Diagnostic } from '../../../operations/index.ts';
import { blockedBy } from '../blocked-operations.ts';
import type { ParameterDef, ProviderManifest, ProviderOperation } from '../manifest.ts';
import { sharedNames } from '../parameters.ts';
import type { ReadManifest } from '../read-manifest.ts';
import { toolName } from '../tool-name.ts';

/** Model APIs accept names of 64 characters. */
const MAX_NAME_LENGTH = 64;
/** Shorter texts tell a model nothing. Characters. */
const MIN_DESCRIPTION = 15;

type Finding = Pick<Diagnostic, 'code' | 'severity' | 'message'>;

/** What can be said against a manifest that can be used: errors of broken operations first, then in the file's order. */
export function lintManifest(read: ReadManifest): Diagnostic[] {
  const { manifest, placeOf } = read;
  const ofOperations = manifest.operations.flatMap((operation, index) =>
    lintOperation(operation, manifest).map((finding) => ({ ...finding, ...placeOf(index) })),
  );
  return [...read.diagnostics, ...lintHead(manifest), ...ofOperations];
}

function lintHead(manifest: ProviderManifest): Diagnostic[] {
  const { parameters = {}, pagination, operations, regions = {} } = manifest;
  const used = new Set(operations.flatMap((operation) => sharedNames(operation, pagination)));
  const findings: Diagnostic[] = [];
  for (const [name, definition] of Object.entries(parameters)) {
    const pointer = `#/parameters/${name}`;
    if (!used.has(name)) {
      const message = `No operation takes the shared parameter ${name}.`;
      findings.push({ code: 'parameter-unused', severity: 'warning', message, pointer });
    }
    findings.push(...undescribed(definition, `shared parameter ${name}`).map((one) => ({ ...one, pointer })));
  }
  for (const [name, { verified }] of Object.entries(regions)) {
    if (verified !== false) continue;
    const message = `The address of region ${name} is not verified.`;
    findings.push({ code: 'not-verified', severity: 'info', message, pointer: `#/regions/${name}` });
  }
  return findings;
}

function lintOperation(operation: ProviderOperation, manifest: ProviderManifest): Finding[] {
  const { id, path, description, verified, params = {}, body = {} } = operation;
  const findings: Finding[] = [];
  const say = (severity: Finding['severity'], code: string, message: string) =>
    findings.push({ code, severity, message });
  const name = toolName(manifest.provider, id);
  if (name.length > MAX_NAME_LENGTH) {
    say('warning', 'name-long', `${name} has more than ${MAX_NAME_LENGTH} characters; it will be cut.`);
  }
  if (description.length < MIN_DESCRIPTION) {
    say('warning', 'description-short', `${id}: "${description}" tells a model too little.`);
  }
  const access = unexpectedAccess(operation);
  if (access !== undefined) say('warning', 'access-unexpected', access);
  const entry = blockedBy(path, manifest.blocklist ?? []);
  if (entry !== undefined) {
    say(
      'info',
      'operation-blocked',
      `${id}: ${path} is closed by ${entry} of the blocklist; it becomes no tool.`,
    );
  }
  if (verified === false) say('info', 'not-verified', `${id} is not verified.`);
  for (const [field, definition] of Object.entries({ ...params, ...body })) {
    findings.push(...undescribed(definition, `${id}: argument ${field}`));
  }
  return findings;
}

/** What a method usually does; anything else needs a reason. */
const USUAL: Readonly<Record<ProviderOperation['method'], readonly ProviderOperation['access'][]>> = {
  GET: ['read'],
  HEAD: ['read'],
  POST: ['write'],
  PUT: ['write'],
  PATCH: ['write'],
  DELETE: ['delete', 'dangerous'],
};

function unexpectedAccess({ id, method, access, accessReason }: ProviderOperation): string | undefined {
  if (accessReason !== undefined || USUAL[method].includes(access)) return undefined;
  return `${id} is ${method} but ${access}: say why in accessReason, or correct the access.`;
}

function undescribed(definition: ParameterDef, what: string): Finding[] {
  if (definition.description !== undefined) return [];
  return [{ code: 'description-missing', severity: 'warning', message: `${what} has no description.` }];
}
