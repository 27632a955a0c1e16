import { describe, expect, it } from 'vitest';
import { buildRequest } from '../../../src/executors/http/index.ts';
import type { Access, Binding, Json } from '../../../src/operations/index.ts';
import { connectionOf, operationOf } from './operation-under-test.ts';

const TYPE = 'application/x-www-form-urlencoded';
const FORM: Binding = { in: 'body', name: '', arg: 'body', contentType: TYPE };
const QUERY: Binding = { in: 'query', name: 'more', arg: 'more', style: 'form', explode: true };

function build(binding: Binding, value: Json, access: Access = 'write') {
  const { contentType = TYPE } = binding;
  const body = { contentType, required: binding.in === 'body' };
  const operation = operationOf({ method: 'POST', path: '/posts/1', bindings: [binding], body }, { access });
  return buildRequest(operation, { [binding.arg!]: value }, connectionOf());
}

describe('`_method`, which services take for the method of a POST', () => {
  it.each<[string, Binding, Json, Access?]>([
    ['in a whole body', FORM, { title: 'x', _method: 'DELETE' }],
    ['in small letters', FORM, { _METHOD: 'delete' }],
    ['as a member of the body', { in: 'body', name: '_method', arg: 'verb', contentType: TYPE }, 'DELETE'],
    ['in a body as text', FORM, 'title=x&_method=DELETE'],
    ['in a body as text, its name encoded', FORM, 'title=x&%5Fmethod=DELETE'],
    ['in a body as text, its value encoded', FORM, 'title=x&_method=%44ELETE'],
    ['in a body as text, behind a semicolon', FORM, 'title=x;_method=DELETE'],
    ['as PHP reads a name with a dot', FORM, { '.method': 'DELETE' }],
    ['as PHP reads a name with a space before it', QUERY, { ' _method': 'DELETE' }],
    ['as C reads a name', QUERY, { '_method\0x': 'DELETE' }],
    ['in an open query', QUERY, { _method: 'DELETE' }],
    ['as a parameter', { in: 'query', name: '_method', arg: 'verb' }, ['DELETE']],
    ['as Salesforce calls it', QUERY, { _HttpMethod: 'DELETE' }],
    ['as Firebase calls it', QUERY, { 'x-http-method-override': 'DELETE' }],
    ['as a header of that name is called', QUERY, { 'X-HTTP-Method': 'DELETE' }],
    ['in a whole query', { in: 'querystring', name: 'q', arg: 'q' }, 'a=1&_method=DELETE'],
    ['of a write, by what reads', FORM, { _method: 'PUT' }, 'read'],
  ])('makes no more of an operation than it is: %s', (_, binding, value, access) => {
    expect(() => build(binding, value, access)).toThrow(
      expect.objectContaining({ code: 'arguments_invalid', pointer: expect.stringContaining(binding.arg!) }),
    );
  });

  it.each<[string, Binding, Json, Access?]>([
    ['as harmful as the operation', FORM, { _method: 'PUT' }],
    ['of what deletes', FORM, { _method: 'DELETE' }, 'delete'],
    ['that names no method', FORM, { _method: 'fastest' }, 'read'],
    ['in what is no form', { ...FORM, contentType: 'text/plain' }, '/posts/1?_method=DELETE'],
    ['below another member', FORM, { post: { _method: 'DELETE' } }],
  ])('goes out: %s', (_, binding, value, access) => {
    expect(String(build(binding, value, access).body)).toContain('_method');
  });
});
