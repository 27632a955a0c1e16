import { expect, test } from 'vitest';
import { lastWords, lastWrote } from '../../../src/upstreams/stdio/last-words.ts';

const TAILS: ReadonlyArray<readonly [what: string, tail: string, words: string]> = [
  ['plain lines', 'starting\nPlease set API_TOKEN.', 'starting Please set API_TOKEN'],
  [
    'lines of which the last only says where to read on',
    'These flags were removed:\n  --password: Use the SSH_PASSWORD variable.\nSee the section "Migrating".',
    'These flags were removed: --password: Use the SSH_PASSWORD variable. See the section "Migrating"',
  ],
  [
    'a dump of what is wrong, whose members are called errors',
    `Invalid environment variables {
  _errors: [],
  USER_ROLE: {
    _errors: [
      "Expected 'developer' | 'editor'"
    ]
  }
}`,
    `Invalid environment variables { _errors: [], USER_ROLE: { _errors: [ "Expected 'developer' | 'editor'"`,
  ],
  [
    'an error before a usage text that speaks of standard error',
    'Error: no context is set.\nUsage: server [flags]\n  --log string  "stderr" is the standard error stream: all of it.',
    'Error: no context is set. Usage: server [flags] --log string "stderr" is the standard error stream: all of it',
  ],
  [
    'an error that Node did not catch',
    `file:///srv/dist/client.js:12
            throw new Error('API_TOKEN is required.');
                  ^

Error: API_TOKEN is required. Set it and retry.
    at new Client (file:///srv/dist/client.js:12:19)
    at async loadEntry (node:internal/modules/run_main:101:5)

Node.js v24.21.0`,
    'Error: API_TOKEN is required. Set it and retry',
  ],
  [
    'a package that npm does not find',
    `npm warn Unknown user config "nodedir".
npm error code E404
npm error 404 Not Found - GET https://registry.example/server-gone
npm error 404
npm error A complete log of this run can be found in: /root/.npm/_logs/debug-0.log`,
    'npm error code E404 npm error 404 Not Found - GET https://registry.example/server-gone',
  ],
  [
    'a package that npm cannot fetch, with what it says to everybody',
    `npm error code ECONNREFUSED
npm error syscall connect
npm error errno ECONNREFUSED
npm error FetchError: request to http://127.0.0.1:9/server-gone failed, reason: connect ECONNREFUSED 127.0.0.1:9
npm error     at ClientRequest.emit (node:events:514:28)
npm error     at process.processTicksAndRejections (node:internal/process/task_queues:91:21) {
npm error   code: 'ECONNREFUSED',
npm error   port: 9,
npm error   type: 'system'
npm error }
npm error
npm error If you are behind a proxy, please make sure that the 'proxy' config is set properly.  See: 'npm help config'
npm error A complete log of this run can be found in: /root/.npm/_logs/debug-0.log`,
    'npm error code ECONNREFUSED npm error FetchError: request to http://127.0.0.1:9/server-gone failed, reason: connect ECONNREFUSED 127.0.0.1:9',
  ],
  [
    'a machine without a network, as npm says it',
    `npm error code ENOTFOUND
npm error syscall getaddrinfo
npm error errno ENOTFOUND
npm error network request to https://registry.example/server-gone failed, reason: getaddrinfo ENOTFOUND registry.example
npm error network This is a problem related to network connectivity.
npm error network In most cases you are behind a proxy or have bad network settings.
npm error network
npm error network If you are behind a proxy, please make sure that the
npm error network 'proxy' config is set properly.  See: 'npm help config'`,
    'npm error code ENOTFOUND npm error network request to https://registry.example/server-gone failed, reason: getaddrinfo ENOTFOUND registry.example',
  ],
  [
    'an error with its cause',
    `[7] Fatal error: TypeError: fetch failed
    at process (/srv/fetch.js:237:16) {
  [cause]: Error: connect ECONNREFUSED 127.0.0.1:9
      at connect (/srv/net.js:1:1)
}`,
    '[7] Fatal error: TypeError: fetch failed [cause]: Error: connect ECONNREFUSED 127.0.0.1:9',
  ],
  [
    'a traceback of Python',
    `Traceback (most recent call last):
  File "/srv/server.py", line 1, in <module>
    import mcp
ModuleNotFoundError: No module named 'mcp'`,
    "ModuleNotFoundError: No module named 'mcp'",
  ],
  ['a panic of Go', 'panic: no token\n\ngoroutine 1 [running]:\nmain.main()', 'panic: no token main.main()'],
  [
    'a panic of Rust',
    "thread 'main' panicked at src/main.rs:2:5: no token\nnote: run with `RUST_BACKTRACE=1` to display a backtrace",
    "thread 'main' panicked at src/main.rs:2:5: no token",
  ],
  ['two errors', 'Error: retried\nretrying\nError: no token\nbye', 'Error: no token bye'],
  [
    'an error with its place',
    'Exception in /srv/config.yaml: no token\nbye',
    'Exception in /srv/config.yaml: no token bye',
  ],
  ['nothing but noise', '\n}\n    at x (y:1:1)\n', ''],
];

test.each(TAILS)('why a program ended is found in %s', (_, tail, words) => {
  expect(lastWords(tail)).toBe(words);
});

test('a program that wrote nothing is not said to have written', () => {
  expect(lastWrote('\n')).toBe('');
  expect(lastWrote('no token\n')).toBe('; it last wrote: no token');
});

test('an error before a long usage text is what is told', () => {
  const usage = Array.from({ length: 40 }, (_, i) => `  --option-${i}  says something`).join('\n');
  expect(lastWords(`Error: No access token was provided.\nUsage: server [options]\n${usage}`)).toMatch(
    /^Error: No access token was provided\. Usage: .{200,}…$/,
  );
});
