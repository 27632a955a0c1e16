import { Command, InvalidArgumentError, Option } from 'commander';
import type { CompileProcess } from '../assembly/compiling/run-compile-process.ts';
import { VERSION } from '../version.ts';
import { addApprovals } from './commands/approvals-commands.ts';
import { addAzure } from './commands/azure-command.ts';
import type { BudgetsOptions } from './commands/budgets.ts';
import type { CallOptions } from './commands/call.ts';
import { addChat } from './commands/chat/chat-command.ts';
import type { CompileOptions } from './commands/compile.ts';
import type { ConnectOptions } from './commands/connect.ts';
import { addConsole } from './commands/console-command.ts';
import type { ExplainOptions } from './commands/explain.ts';
import { addFeatures } from './commands/features-commands.ts';
import type { ImportOptions } from './commands/import.ts';
import type { LintOptions } from './commands/lint.ts';
import { addLogin } from './commands/login-command.ts';
import type { NewOptions } from './commands/new.ts';
import { addRecords } from './commands/record-commands.ts';
import type { SearchOptions } from './commands/search.ts';
import { addSkills } from './commands/skills/skills-commands.ts';
import { addStart } from './commands/start-command.ts';
import { addStore } from './commands/store-commands.ts';
import { addUpstream } from './commands/upstream-commands.ts';
import { onTerminal } from './on-terminal.ts';
import { listenHost } from './options/listen-host.ts';
import { withNarrowingOptions } from './options/narrowing-options.ts';
import { portNumber } from './options/port-number.ts';
import { reference, type SourceOptions, withSourceOptions } from './options/source-options.ts';
import type { ServeOptions } from './serving.ts';
import type { Terminal } from './terminal/terminal.ts';

type Done = (exit: number) => void;

/** Every command with its options. A command's own module is loaded when it runs. `serve` may use the process given. */
export function createProgram(terminal: Terminal, done: Done, compileProcess?: CompileProcess): Command {
  const program = onTerminal(new Command('toolcrib'), terminal)
    .description(
      'Makes governed MCP tools of API descriptions, providers, MCP servers, workflows and functions.',
    )
    .version(VERSION, '-V, --version', 'print the version');
  addStart(program, terminal, done);
  addServing(program, terminal, done, compileProcess);
  addAzure(program, terminal, done);
  addLint(program, terminal, done);
  addContracts(program, terminal, done);
  addAsking(program, terminal, done);
  addClients(program, terminal, done);
  addTeam(program, terminal, done);
  addStore(program, terminal, done);
  addLogin(program, terminal, done);
  addUpstream(program, terminal, done);
  addConsole(program, terminal, done);
  addApprovals(program, terminal, done);
  addRecords(program, terminal, done);
  addFeatures(program, terminal, done);
  addSkills(program, terminal, done);
  addChat(program, terminal, done);
  addHelp(program, terminal, done);
  return program;
}

function addServing(
  program: Command,
  terminal: Terminal,
  done: Done,
  compileProcess: CompileProcess | undefined,
): void {
  const serve = program
    .command('serve')
    .argument('[documents...]', 'OpenAPI documents; without any: toolcrib.yaml here, else the quickstart')
    .description('serve the tools over MCP and the HTTP API')
    .option('--stdio', 'MCP on standard input and output instead of HTTP')
    .option('-p, --port <number>', 'default 8787; 0 takes a free one', portNumber)
    .option(
      '--host <address>',
      'default 127.0.0.1; any other than loopback needs a token, or auth.mode team',
      listenHost,
    )
    .option('--token <secret>', 'bearer token that callers must send: env:NAME or file:PATH', reference)
    .option('--no-watch', 'do not compile again when a document changes')
    .option('--remote <url>', "with --stdio: relay a team gateway's tools instead")
    .option('--key <key>', 'with --remote: env:NAME or file:PATH (default: env:TOOLCRIB_API_KEY)', reference);
  withSourceOptions(withNarrowingOptions(serve), 'arguments').action(
    async (documents: string[], options: ServeOptions) => {
      const { serve: run } = await import('./commands/serve.ts');
      done(await run(documents, options, terminal, compileProcess));
    },
  );
  const compile = program
    .command('compile')
    .argument('[documents...]', 'OpenAPI documents, or - for standard input')
    .description('show what becomes a tool, what does not, and why')
    .option('--out <folder>', 'write lock and report there')
    .option('--diff', 'show what differs from the lock')
    .option('--accept [tool]', 'take the current definitions into the lock: one tool, or all');
  withSourceOptions(compile, 'arguments').action(async (documents: string[], options: CompileOptions) => {
    const { compile: run } = await import('./commands/compile.ts');
    done(await run(documents, options, terminal));
  });
}

function addLint(program: Command, terminal: Terminal, done: Done): void {
  program
    .command('lint')
    .argument(
      '<files...>',
      'manifest files or names of shipped ones; folders of tools, skills or source kinds',
    )
    .description('check provider manifests, tool packages, skills and source kinds')
    .option('--openapi <document>', 'compare with this document: path or URL')
    .option('--run-tests', 'run the tests of tool packages and source kinds, too')
    .option('--json', 'print JSON')
    .action(async (files: string[], options: LintOptions) => {
      const { lint } = await import('./commands/lint.ts');
      done(await lint(files, options, terminal));
    });
}

/** Scaffolds, and what budgets have been used. */
function addContracts(program: Command, terminal: Terminal, done: Done): void {
  program
    .command('new')
    .argument('<kind>', 'tool, skill, manifest or source')
    .argument('<name>', 'what it is called')
    .description('write a tool package, a skill, a manifest or a source kind to start from')
    .option('--dir <folder>', 'where (default: this folder)')
    .option('--json', 'print JSON')
    .action(async (kind: string, name: string, options: NewOptions) => {
      const { scaffold } = await import('./commands/new.ts');
      done(await scaffold(kind, name, options, terminal));
    });
  program
    .command('budgets')
    .description('what is used of every budget, and when it frees')
    .option('--principal <id>', 'the counters of this caller')
    .option('-c, --config <file>', 'configuration file (default: toolcrib.yaml in this folder)')
    .option('--state-dir <folder>', 'where the default store lies')
    .option('--json', 'print JSON')
    .action(async (options: BudgetsOptions) => {
      const { budgets } = await import('./commands/budgets.ts');
      done(await budgets(options, terminal));
    });
}

function addAsking(program: Command, terminal: Terminal, done: Done): void {
  withSourceOptions(program.command('tools').description('list the tools'), 'options').action(
    async (options: SourceOptions) => {
      const { tools } = await import('./commands/tools.ts');
      done(await tools(options, terminal));
    },
  );
  const search = program
    .command('search')
    .argument('<words...>', 'what it should do, in plain words')
    .description('find operations, best first')
    .addOption(
      new Option('--intent <intent>', 'what is wanted').choices([
        'read',
        'write',
        'create',
        'update',
        'delete',
        'manage',
        'all',
      ]),
    )
    .option('--source <name>', 'of one source alone')
    .option('--limit <number>', 'hits at most, to 100; default 8', hitLimit);
  withSourceOptions(search, 'options').action(async (words: string[], options: SearchOptions) => {
    const { search: run } = await import('./commands/search.ts');
    done(await run(words, options, terminal));
  });
  const describe = program
    .command('describe')
    .argument('<tool>', 'name of the tool')
    .description('show a tool with its arguments');
  withSourceOptions(describe, 'options').action(async (tool: string, options: SourceOptions) => {
    const { describe: run } = await import('./commands/describe.ts');
    done(await run(tool, options, terminal));
  });
  const call = program
    .command('call')
    .argument('<tool>', 'name of the tool')
    .argument('[arguments...]', 'key=value, key:=JSON, key@FILE, one JSON object, or - for standard input')
    .description('call a tool')
    .option('--dry-run', 'show the exact request and send nothing')
    .option('--curl', 'show the request as a curl command and send nothing');
  withSourceOptions(call, 'options').action(async (tool: string, given: string[], options: CallOptions) => {
    const { call: run } = await import('./commands/call.ts');
    done(await run(tool, given, options, terminal));
  });
  const explain = program
    .command('explain')
    .argument('<tool>', 'name of the tool, operation id, path, or METHOD /path')
    .description('why a tool is offered or not: every check with its value')
    .option('--as <user>', 'id of a user of the team (default: the operator)');
  withSourceOptions(explain, 'options').action(async (tool: string, options: ExplainOptions) => {
    const { explain: run } = await import('./commands/explain.ts');
    done(await run(tool, options, terminal));
  });
  withSourceOptions(
    program.command('tokens').description('measure what the tool list costs a model'),
    'options',
  ).action(async (options: SourceOptions) => {
    const { tokens } = await import('./commands/tokens.ts');
    done(await tokens(options, terminal));
  });
  const doctor = program
    .command('doctor')
    .argument('[documents...]', 'OpenAPI documents, as for serve; --spec names them, too')
    .description('find what is wrong and how to mend it');
  withSourceOptions(doctor, 'options').action(async (documents: string[], options: SourceOptions) => {
    const { doctor: run } = await import('./commands/doctor.ts');
    done(await run(documents, options, terminal));
  });
}

function addClients(program: Command, terminal: Terminal, done: Done): void {
  const clients =
    'claude-desktop, claude-code, vscode, cursor, gemini, codex, windsurf, zed, opencode or copilot';
  const shared = (command: Command): Command =>
    command
      .argument('<client>', clients)
      .option('--name <name>', 'name of the entry', 'toolcrib')
      .option('--project', 'in the configuration of this folder instead of the user')
      .option('--print', 'show what would be written, and write nothing')
      .option('-y, --yes', 'do not ask');
  const connecting = shared(
    program.command('connect').description("write an entry into an MCP client's configuration"),
  )
    .option('--remote <url>', "a team gateway's tools instead of sources of this machine")
    .option('--key <key>', 'with --remote: env:NAME or file:PATH (default: env:TOOLCRIB_API_KEY)', reference);
  withSourceOptions(withNarrowingOptions(connecting), 'options').action(
    async (client: string, options: ConnectOptions) => {
      const { connect } = await import('./commands/connect.ts');
      done(await connect(client, options, terminal));
    },
  );
  shared(program.command('disconnect').description('remove that entry again'))
    .option('--json', 'print JSON')
    .action(async (client: string, options: ConnectOptions) => {
      const { disconnect } = await import('./commands/disconnect.ts');
      done(await disconnect(client, options, terminal));
    });
  program
    .command('import')
    .argument('[file]', "a client's file, or -; without one, the clients of this user are looked at")
    .description('take over the MCP servers of another client into toolcrib.yaml')
    .option('-c, --config <file>', 'the file to write to (default: toolcrib.yaml in this folder)')
    .option('--print', 'show what would be written, and write nothing')
    .option('--json', 'print JSON')
    .action(async (file: string | undefined, options: ImportOptions) => {
      const { importServers } = await import('./commands/import.ts');
      done(await importServers(file, options, terminal));
    });
}

/** The subjects and verbs of `admin` are loaded when it runs. */
function addTeam(program: Command, terminal: Terminal, done: Done): void {
  program
    .command('admin')
    .argument('[words...]', 'bootstrap, org, user, role, key, access or connection, then what to do')
    .description('administer organisations, users, keys, access and connections')
    .helpOption(false)
    .allowUnknownOption()
    .action(async (words: string[]) => {
      const { admin } = await import('./commands/admin/admin.ts');
      done(await admin(words, terminal));
    });
}

function addHelp(program: Command, terminal: Terminal, done: Done): void {
  program
    .command('completion')
    .argument('<shell>', 'bash, zsh or fish')
    .description('print a completion script for your shell')
    .action(async (shell: string) => {
      const { completion } = await import('./commands/completion.ts');
      done(completion(shell, program, terminal));
    });
  program
    .command('help')
    .argument('[topic...]', 'a command, such as serve or admin user add; or exit-codes')
    .description('help about a command or a topic')
    .action(async (words: string[]) => {
      const { help } = await import('./commands/help.ts');
      done(await help(words, program, terminal));
    });
}

function hitLimit(value: string): number {
  const limit = Number(value);
  if (Number.isInteger(limit) && limit >= 1 && limit <= 100) return limit;
  throw new InvalidArgumentError('Use a number from 1 to 100.');
}
