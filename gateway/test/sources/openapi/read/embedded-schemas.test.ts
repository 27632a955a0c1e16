import { describe, expect, it } from 'vitest';
import { describeText, jsonBody, openapi, post } from '../describing.ts';

const STRING = { type: 'string' };
const NUMBER = { type: 'number' };

/** The input of each operation whose body this is, and the codes of diagnostics. */
async function inputs(bodies: readonly object[], more: object = {}, changed = (text: string) => text) {
  const paths = Object.assign({}, ...bodies.map((body, index) => post(jsonBody(body), `/${index}`)));
  const document = openapi(paths, { openapi: '3.1.0', ...more });
  const { operations, diagnostics } = await describeText(changed(JSON.stringify(document)));
  return {
    inputs: operations.map(({ input }) => input as Record<string, Record<string, unknown>>),
    codes: diagnostics.map(({ code }) => code),
  };
}

function embedded(keyword: string, node: object): object {
  return {
    type: 'object',
    properties: { v: { $ref: `#/${keyword}/Node` } },
    [keyword]: { Node: node },
  };
}

describe('a whole JSON Schema within a document, whose references begin at its own root', () => {
  it.each(['$defs', 'definitions'])('has its own %s, whatever another one calls so', async (keyword) => {
    const found = await inputs([embedded(keyword, STRING), embedded(keyword, NUMBER)]);
    const meant = found.inputs.map(({ properties, $defs }) => {
      const reference = (properties!['v'] as { $ref: string }).$ref;
      return $defs![reference.slice('#/$defs/'.length)];
    });
    expect(meant).toEqual([STRING, NUMBER]);
    expect(found.codes).toEqual([]);
  });

  it('may hold itself, and stand behind slashes that are escaped', async () => {
    const tree = { type: 'object', properties: { below: { $ref: '#/definitions/Node' } } };
    const found = await inputs([embedded('definitions', tree)], {}, (text) => text.replaceAll('/', '\\/'));
    const [name] = Object.keys(found.inputs[0]!['$defs']!);
    const reference = { $ref: `#/$defs/${name}` };
    expect(found.inputs[0]!['properties']).toEqual({ v: reference });
    expect(found.inputs[0]!['$defs']).toEqual({
      [name!]: { type: 'object', properties: { below: reference } },
    });
    expect(found.codes).toEqual([]);
  });

  it('may be one of its definitions', async () => {
    const body = {
      $ref: '#/definitions/Pet',
      definitions: { Pet: { type: 'object', properties: { name: STRING } } },
    };
    const { inputs: found, codes } = await inputs([body]);
    expect(found[0]!['properties']).toEqual({ name: STRING });
    expect(codes).toEqual([]);
  });

  it('may repeat what stands in it: the outermost schema is the root', async () => {
    const inner = { type: 'object', properties: { a: NUMBER, again: { $ref: '#/properties/a' } } };
    const { inputs: found, codes } = await inputs([{ type: 'object', properties: { a: STRING, inner } }]);
    const { properties, $defs } = found[0]!;
    const reference = (properties!['inner'] as { properties: { again: { $ref: string } } }).properties.again
      .$ref;
    expect($defs![reference.slice('#/$defs/'.length)]).toEqual(STRING);
    expect(codes).toEqual([]);
  });

  it('does not hide what the document itself calls so, nor a reference that leads nowhere', async () => {
    const { inputs: found, codes } = await inputs(
      [embedded('definitions', STRING), { type: 'object', properties: { v: { $ref: '#/$defs/Lost' } } }],
      { definitions: { Node: NUMBER } },
    );
    expect(found[0]!['$defs']).toEqual({ Node: NUMBER });
    expect(found[1]!['properties']).toEqual({ v: {} });
    expect(codes).toEqual(['reference-broken']);
  });
});
