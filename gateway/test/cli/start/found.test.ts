import { describe, expect, it } from 'vitest';
import { withDefaultCommand } from '../../../src/cli/default-command.ts';
import { createProgram } from '../../../src/cli/program.ts';
import { documentVersion } from '../../../src/cli/start/document-version.ts';
import { findDocuments } from '../../../src/cli/start/find-documents.ts';
import { foundLines } from '../../../src/cli/start/surroundings.ts';
import type { Terminal } from '../../../src/cli/terminal/terminal.ts';
import { petsDocument, temporaryDesk } from './person.ts';

describe('a document is recognised by its beginning', () => {
  it.each([
    ['{"openapi":"3.1.0","info":{}}', 'OpenAPI 3.1.0'],
    ['\uFEFF{ "info": { "title": "}{\\"" }, "tags": [{}], "swagger": "2.0"', 'Swagger 2.0'],
    ['# ours\nopenapi: 3.0.3\ninfo:', 'OpenAPI 3.0.3'],
    ["swagger: '2.0'\n", 'Swagger 2.0'],
    ['---\n"openapi": "3.2.0"\n', 'OpenAPI 3.2.0'],
  ])('%j', (text, format) => {
    expect(documentVersion(text)).toEqual({ format });
  });

  it.each([
    '',
    'not json',
    '{"dependencies":{"openapi":"3.1.0"}}',
    '{"openapi":{"swagger":"2.0"}}',
    '{"name":"openapi","version":"3.1.0"}',
    '{"openapi":"1.0.0"}',
    'sources:\n  pets:\n    openapi: 3.1.0\n',
    'openapi: ./pets.json\n',
    '["openapi","3.1.0"]',
  ])('%j is none', (text) => {
    expect(documentVersion(text)).toBeUndefined();
  });
});

describe('what lies in a folder', () => {
  it('is looked at within bounds, likely names first', async () => {
    const many = Array.from({ length: 60 }, (_, index) => [`work/a${index}.json`, '{}']);
    await using desk = await temporaryDesk({
      ...Object.fromEntries(many),
      'work/z.json': petsDocument(),
      'work/z-openapi.json': petsDocument(),
      'work/.hidden.json': petsDocument(),
      'work/deeper/openapi.json': petsDocument(),
      'work/late.yaml': `#${'x'.repeat(70_000)}\nopenapi: 3.1.0\n`,
    });
    expect(await findDocuments(desk.folder)).toEqual([{ file: 'z-openapi.json', format: 'OpenAPI 3.1.0' }]);
    expect(await findDocuments(desk.path('nowhere'))).toEqual([]);
  });

  it('cannot steer the terminal by its name', () => {
    const documents = [{ file: 'a\u001b[2Jb\u202e.json', format: 'OpenAPI 3.1.0' }];
    expect(foundLines({ named: false, documents, clients: [] })).toEqual(['a [2Jb .json: OpenAPI 3.1.0']);
  });
});

describe('without a command', () => {
  const terminal = { cwd: process.cwd(), env: {} } as Terminal;
  const program = createProgram(terminal, () => undefined);
  it.each([
    [[], ['start']],
    [
      ['--port', '0'],
      ['start', '--port', '0'],
    ],
    [['--yes'], ['start', '--yes']],
    [['--stdio'], ['serve', '--stdio']],
    [
      ['api.yaml', '--stdio'],
      ['serve', 'api.yaml', '--stdio'],
    ],
    [
      ['--config', 'a.yaml', '--stdio'],
      ['serve', '--config', 'a.yaml', '--stdio'],
    ],
    [['https://api.test/openapi'], ['start', 'https://api.test/openapi']],
    [['missing.yaml'], ['start', 'missing.yaml']],
    [
      ['./package.json', '--open'],
      ['start', './package.json', '--open'],
    ],
    [['serv'], ['serv']],
    [['no/such/place'], ['no/such/place']],
    [['--help'], ['--help']],
    [
      ['tools', '--json'],
      ['tools', '--json'],
    ],
    [
      ['help', 'serve'],
      ['help', 'serve'],
    ],
  ])('%j means %j', (given, meant) => {
    expect(withDefaultCommand(given, program, terminal)).toEqual(meant);
  });
});
