import { basename } from 'node:path';
import { findConfiguration } from '../../config/index.ts';
import { printable } from '../../operations/text/printable.ts';
import { type SurveyedClient, surveyClients } from '../clients/survey.ts';
import type { SourceOptions } from '../options/source-options.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type FoundDocument, findDocuments } from './find-documents.ts';

/** What is there already. Everything was only read. */
export interface Surroundings {
  /** Whoever started it named documents or a configuration: nothing else is proposed. */
  readonly named: boolean;
  /** The configuration of this folder; absolute. */
  readonly configuration?: string;
  /** Looked for where there is no configuration. */
  readonly documents: readonly FoundDocument[];
  readonly clients: readonly SurveyedClient[];
}

export async function lookAround(
  documents: readonly string[],
  options: SourceOptions,
  terminal: Terminal,
): Promise<Surroundings> {
  const named = documents.length > 0 || options.config !== undefined;
  const configuration = named ? undefined : findConfiguration(terminal.cwd);
  const looking = !named && configuration === undefined;
  const [found, clients] = await Promise.all([
    looking ? findDocuments(terminal.cwd) : [],
    surveyClients(terminal),
  ]);
  return {
    named,
    documents: found,
    clients,
    ...(configuration === undefined ? {} : { configuration }),
  };
}

/** What was found, a line each; for a person who has not been asked anything yet. */
export function foundLines({ named, configuration, documents, clients }: Surroundings): string[] {
  const servers = clients.flatMap((client) =>
    client.servers.map((found) => {
      const names = Object.keys(found.servers);
      return `${printable(names.join(', '))}: MCP ${names.length === 1 ? 'server' : 'servers'} of ${client.title}`;
    }),
  );
  const state = clients.map(({ title, connected }) => `${title}${connected ? ' (connected)' : ''}`);
  return [
    ...(configuration === undefined
      ? []
      : [`${printable(basename(configuration))}: the configuration of this folder`]),
    ...documents.map(({ file, format }) => `${printable(file)}: ${format}`),
    ...(named ? [] : servers),
    ...(state.length === 0 ? [] : [`MCP clients: ${state.join(', ')}`]),
  ];
}
