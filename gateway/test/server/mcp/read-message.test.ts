import { parseJSONRPCMessage } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import { readLine, readMessage, refusedRequest } from '../../../src/server/mcp/read-message.ts';

const call = '"jsonrpc":"2.0","id":1,"method":"tools/call"';

describe('a line as a message is what the schema of the SDK makes of it', () => {
  test.each([
    `{${call}}`,
    `{${call},"params":{"name":"a","arguments":{"b":[1]}}}`,
    `{${call},"params":{"name":"a","_meta":{"progressToken":"t","other":{"x":1}}}}`,
    `{${call},"params":{"_meta":{"progressToken":1}}}`,
    `{${call},"params":{"__proto__":{"x":1},"name":"a"}}`,
    `{${call},"params":{"_meta":{"__proto__":{"x":1}}}}`,
    `{${call},"params":{"_meta":{"io.modelcontextprotocol/related-task":{"taskId":"t","more":1}}}}`,
    '{"jsonrpc":"2.0","id":"text","method":"ping"}',
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"r"}}',
    '{"jsonrpc":"2.0","id":3,"result":{}}',
    '{"jsonrpc":"2.0","id":3,"error":{"code":-1,"message":"m"}}',
  ])('%s', (line) => {
    expect(readMessage(readLine(line))).toEqual(parseJSONRPCMessage(JSON.parse(line)));
  });

  test.each([
    '1',
    'null',
    '[]',
    '{}',
    '{"jsonrpc":"1.0","id":1,"method":"ping"}',
    '{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
    '{"jsonrpc":"2.0","id":null,"method":"ping"}',
    '{"jsonrpc":"2.0","id":1,"method":7}',
    '{"jsonrpc":"2.0","id":1,"method":"ping","more":1}',
    '{"jsonrpc":"2.0","id":1,"method":"ping","__proto__":{}}',
    `{${call},"params":[]}`,
    `{${call},"params":"x"}`,
    `{${call},"params":null}`,
    `{${call},"params":{"_meta":1}}`,
    `{${call},"params":{"_meta":{"progressToken":{}}}}`,
    `{${call},"params":{"_meta":{"progressToken":1.5}}}`,
    `{${call},"params":{"_meta":{"io.modelcontextprotocol/related-task":{}}}}`,
  ])('both refuse %s', (line) => {
    expect(() => parseJSONRPCMessage(JSON.parse(line))).toThrow();
    expect(() => readMessage(readLine(line))).toThrow();
  });

  test.each(['', 'no JSON', '{"jsonrpc":'])('no JSON, no message: %j', (line) => {
    expect(readLine(line)).toBeUndefined();
  });
});

describe('what is no message', () => {
  test.each([
    ['{"jsonrpc":"1.0","id":"a","method":"ping"}', 'a'],
    ['{"id":4,"method":"ping"}', 4],
    ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', 1.5],
    [`{${call},"params":null}`, 1],
    ['{"jsonrpc":"2.0","id":7}', 7],
  ])('%s is answered', (line, id) => {
    expect(refusedRequest(readLine(line))).toMatchObject({ jsonrpc: '2.0', id, error: { code: -32600 } });
  });

  test.each([
    '1',
    'null',
    '[]',
    '{"jsonrpc":"2.0","id":null,"method":"ping"}',
    '{"jsonrpc":"2.0","method":7}',
    '{"jsonrpc":"2.0","id":12345678901234567890,"method":"ping"}',
    '{"jsonrpc":"1.0","id":1,"result":{}}',
    '{"jsonrpc":"2.0","id":1,"error":7}',
  ])('%s is not', (line) => {
    expect(refusedRequest(readLine(line))).toBeUndefined();
  });
});
