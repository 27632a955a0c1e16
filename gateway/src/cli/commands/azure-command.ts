import { type Command, InvalidArgumentError, Option } from 'commander';
import { listenHost } from '../options/listen-host.ts';
import { portNumber } from '../options/port-number.ts';
import { reference } from '../options/source-options.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { AzureOptions } from './azure.ts';

/** `toolcrib azure`. */
export function addAzure(program: Command, terminal: Terminal, done: (exit: number) => void): void {
  program
    .command('azure')
    .description('serve the API connections of an Azure resource group, over stdio or HTTP')
    .requiredOption('-s, --subscription <id>', 'id of the subscription')
    .requiredOption('-g, --resource-group <name>', 'its API connections become tools')
    .option('-l, --location <region>', 'region of managed APIs (default: westus)')
    .addOption(
      new Option(
        '-a, --authentication <mode>',
        'how tokens are obtained (default: interactive; azcli in Codespaces)',
      ).choices(['interactive', 'azcli', 'env', 'envvar']),
    )
    .option('-t, --tenant <tenant>', 'id or domain of the tenant to sign in to')
    .option('--arm-endpoint <url>', 'Azure Resource Manager of another cloud')
    .option('--connections <names>', 'only these connections, separated by commas', names)
    .option(
      '--maxToolsPerApi, --max-tools-per-api <number>',
      'tools listed of each connection, important ones first; <api>_discover finds the rest (default: all)',
      count,
    )
    .option('--include-deprecated', 'deprecated operations without a newer revision (default)')
    .option('--no-include-deprecated', 'without any deprecated operation')
    .option('--topology <name>', 'how operations become tools: flat (default), auto, discover, search …')
    .option('-p, --port <number>', 'HTTP on this port instead of stdio; 0 takes a free one', portNumber)
    .option(
      '--host <address>',
      'with --port: default 127.0.0.1; any other than loopback needs a token',
      listenHost,
    )
    .option('--token <secret>', 'with --port: what callers must send: env:NAME or file:PATH', reference)
    .option('--state-dir <folder>', 'where cache, artifacts and lock lie')
    .option('--json', 'with --port: print JSON')
    .action(async (options: AzureOptions) => {
      const { azure } = await import('./azure.ts');
      done(await azure(options, terminal));
    });
}

function names(text: string): string[] {
  const given = text.split(',').map((name) => name.trim());
  if (given.some((name) => name === '')) throw new InvalidArgumentError('Use names separated by commas.');
  return given;
}

function count(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1) return value;
  throw new InvalidArgumentError('Use a number from 1.');
}
