import type { Configuration, SourceConfiguration } from '../../config/configuration.ts';
import { readDocument } from '../../config/document.ts';
import { kindsWith } from '../../config/kinds.ts';
import { parseConfiguration } from '../../config/parse.ts';
import { serverName } from '../../config/settings/mcp-servers.ts';
import { topologiesWith } from '../../config/settings/topology.ts';
import { lineDifference } from '../../config/source-edit/line-difference.ts';
import { environmentNames, literalSecrets } from '../../config/source-edit/literal-secrets.ts';
import { editSource } from '../../config/source-edit/source-edit.ts';
import { ToolcribError } from '../../errors.ts';
import { escapeToken } from '../../operations/index.ts';
import { unknownSource } from '../../operations/unknown-source.ts';
import { queue } from '../../operations/work/queue.ts';
import type { FileChange, GatewaySources, SourceChange } from '../../server/http/admin/gateway-sources.ts';
import {
  ownFile,
  type ReadFile,
  readConfigurationFile,
  replaceConfigurationFile,
  requireRevision,
} from './configuration-file.ts';
import type { SourceDeskParts } from './source-desk-parts.ts';
import { entryAsYaml, writtenEntry } from './source-entries.ts';
import { trySource } from './source-trial.ts';

/** A text that is to take the place of the configuration file. */
interface Rewrite {
  readonly read: ReadFile;
  readonly text: string;
}

/** Adds, changes and removes sources of the running gateway: in its file, or for this run. One after the other. */
export function createSourceChanges(parts: SourceDeskParts): Pick<GatewaySources, 'save' | 'remove'> {
  const { brought, configuration, catalog, gateway, runSources, reload, env } = parts;
  const inTurn = queue();
  const parsed = (value: unknown, place: { file?: string; lineOf?: Rewritten['lineOf'] } = {}) =>
    parseConfiguration(value, {
      env,
      baseDirectory: configuration().baseDirectory,
      kinds: kindsWith((brought.sourceKinds ?? []).map(({ kind }) => kind)),
      topologies: topologiesWith((brought.topologies ?? []).map(({ name }) => name)),
      ...place,
    });
  /** The file with this change in it, checked as a whole. */
  const rewritten = async (edit: Parameters<typeof editSource>[2], revision: string | undefined) => {
    const read = await readConfigurationFile(requireFile(configuration()));
    if (revision !== undefined) requireRevision(read, revision);
    const text = await editSource(read.text, read.path, edit);
    const { value, lineOf } = await readDocument(text, read.path);
    const next = await parsed(value, { file: read.path, lineOf });
    return { rewrite: { read, text }, next };
  };
  /** Counts from now on: what the file says, with the options that the gateway was started with. */
  const takeOver = async (name: string, source: SourceConfiguration | undefined) => {
    if (reload !== undefined) return gateway.reconfigure(await reload());
    const { [name]: _before, ...others } = runSources.base.sources;
    return gateway.reconfigure({
      ...runSources.base,
      sources: source === undefined ? others : { ...others, [name]: source },
    });
  };

  const save: GatewaySources['save'] = async (change, dryRun, signal) => {
    const { section, name: key, entry, keep, revision, replace = false } = change;
    const name = section === 'sources' ? key : serverName(key);
    refuseLiterals(change);
    refuseTaken(configuration(), name, replace);
    const planned = keep === 'file' ? await rewritten({ section, name: key, entry }, revision) : undefined;
    const next = planned?.next ?? (await parsed({ [section]: { [key]: entry } }));
    const source = Object.hasOwn(next.sources, name) ? next.sources[name] : undefined;
    if (source === undefined)
      throw new ToolcribError(
        'configuration_invalid',
        `${section}.${key} is switched off: it adds nothing.`,
        {
          pointer: `#/${section}/${escapeToken(key)}`,
        },
      );
    const plan = {
      name,
      yaml: await entryAsYaml(section, key, entry),
      ...(planned === undefined ? {} : { file: await fileChange(planned.rewrite) }),
      environment: environmentNames(entry).map((variable) => ({
        name: variable,
        set: (env[variable] ?? '') !== '',
      })),
    };
    if (dryRun) {
      const trial = await trySource(
        name,
        source,
        { configuration: configuration(), catalog: catalog.current, open: parts.openTrial },
        signal,
      );
      return { ...plan, applied: false, trial, afterRestart: [] };
    }
    if (planned === undefined) {
      runSources.add(name, source);
      const { afterRestart } = await gateway.reconfigure(runSources.base);
      return { ...plan, applied: true, afterRestart };
    }
    requireRevision(planned.rewrite.read, revision);
    await replaceConfigurationFile(planned.rewrite.read, planned.rewrite.text);
    runSources.forget(name);
    const { afterRestart } = await takeOver(name, source);
    return { ...plan, applied: true, afterRestart };
  };

  const remove: GatewaySources['remove'] = async ({ name, keep, revision }, dryRun) => {
    if (!Object.hasOwn(configuration().sources, name))
      throw unknownSource(name, { known: Object.keys(configuration().sources) });
    if (configuration().sources[name]?.kind === 'function')
      throw new ToolcribError(
        'record_conflict',
        `Source ${name} is code of the program that embeds the gateway.`,
        {
          next: 'Take it out of that program.',
        },
      );
    if (keep === 'run' || runSources.has(name)) {
      if (dryRun) return { name, applied: false };
      runSources.remove(name);
      await gateway.reconfigure(runSources.base);
      return { name, applied: true };
    }
    const written = await writtenEntry(await readConfigurationFile(requireFile(configuration())), name);
    if (written === undefined)
      throw new ToolcribError('record_conflict', `Source ${name} does not stand in the configuration file.`, {
        next: 'Take it out for this run.',
      });
    const { section, key } = written;
    const { rewrite } = await rewritten({ section, name: key }, revision);
    if (dryRun) return { name, applied: false, file: await fileChange(rewrite) };
    requireRevision(rewrite.read, revision);
    await replaceConfigurationFile(rewrite.read, rewrite.text);
    await takeOver(name, undefined);
    return { name, applied: true, file: await fileChange(rewrite) };
  };

  return {
    // a try changes nothing and need not wait for anybody
    save: (change, dryRun, signal) =>
      dryRun ? save(change, true, signal) : inTurn(() => save(change, false, signal)),
    remove: (removal, dryRun) => (dryRun ? remove(removal, true) : inTurn(() => remove(removal, false))),
  };
}

type Rewritten = Awaited<ReturnType<typeof readDocument>>;

async function fileChange({ read, text }: Rewrite): Promise<FileChange> {
  return { path: read.path, revision: read.revision, ...(await lineDifference(read.text, text)) };
}

function requireFile(configuration: Configuration): string {
  const file = ownFile(configuration);
  if (file !== undefined) return file;
  throw new ToolcribError('record_conflict', 'This gateway has no configuration file of its own.', {
    next: 'Keep the source for this run only, or start the gateway with a toolcrib.yaml.',
  });
}

/** Secrets are named, never written: whoever reads the file, its history or this answer has none. */
function refuseLiterals({ section, name, entry }: SourceChange): void {
  const [place, ...others] = literalSecrets(entry);
  if (place === undefined) return;
  const form = section === 'sources' ? '{ env: NAME }' : '${NAME}';
  throw new ToolcribError(
    'configuration_invalid',
    `${section}.${name}${place} holds a secret as text${others.length === 0 ? '' : `, and ${others.length} more`}.`,
    {
      pointer: `#/${section}/${escapeToken(name)}${place}`,
      next: `Set it in an environment variable of the gateway and write ${form}.`,
    },
  );
}

function refuseTaken({ sources }: Configuration, name: string, replace: boolean): void {
  const exists = Object.hasOwn(sources, name);
  if (exists && !replace)
    throw new ToolcribError('record_conflict', `There is a source named ${name} already.`, {
      pointer: '/name',
      next: 'Choose another name, or change the source that is there.',
    });
  if (!exists && replace) throw unknownSource(name, { known: Object.keys(sources) });
}
