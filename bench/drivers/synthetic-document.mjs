import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

/**
 * An OpenAPI 3.1 document of `count` operations that looks like a real one: two operations a path (read and update),
 * one component schema for every ten operations, each referring to a neighbour.
 */
export async function writeDocument(file, count) {
  const stream = createWriteStream(file);
  const write = async (text) => {
    if (!stream.write(text)) await once(stream, 'drain');
  };
  await write(
    '{"openapi":"3.1.0","info":{"title":"Synthetic","version":"1.0.0"},"servers":[{"url":"https://api.example.com"}],"paths":{',
  );
  for (let index = 0; index < count; index += 2) {
    const item = pathItem(index, count);
    await write(
      `${index === 0 ? '' : ','}${JSON.stringify(`/items/{id}/part${index}`)}:${JSON.stringify(item)}`,
    );
  }
  await write('},"components":{"schemas":{');
  const schemas = Math.ceil(count / 10);
  for (let index = 0; index < schemas; index++) {
    await write(`${index === 0 ? '' : ','}"Record${index}":${JSON.stringify(component(index, schemas))}`);
  }
  stream.end('}}}');
  await once(stream, 'finish');
}

function pathItem(index, count) {
  const reference = { $ref: `#/components/schemas/Record${Math.floor(index / 10)}` };
  const id = {
    name: 'id',
    in: 'path',
    required: true,
    description: 'The number of the item.',
    schema: { type: 'integer', minimum: 0 },
  };
  const responses = { 200: { description: 'Done.', content: { 'application/json': { schema: reference } } } };
  const limit = {
    name: 'limit',
    in: 'query',
    description: 'How many at most.',
    schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
  };
  const fields = {
    name: 'fields',
    in: 'query',
    description: 'Only these fields.',
    schema: { type: 'array', items: { type: 'string', enum: ['name', 'state', 'created'] } },
  };
  const get = {
    operationId: `getItem${index}`,
    tags: [`part${index % 40}`],
    summary: `Reads part ${index} of an item.`,
    description: 'Answers with the record as it is stored now, with its state and its history.',
    parameters: [id, limit, fields],
    responses,
  };
  if (index + 1 >= count) return { get };
  const requestBody = { required: true, content: { 'application/json': { schema: reference } } };
  const put = {
    operationId: `getItem${index + 1}`,
    tags: [`part${index % 40}`],
    summary: `Replaces part ${index} of an item.`,
    parameters: [id],
    requestBody,
    responses,
  };
  return { get, put };
}

function component(index, schemas) {
  return {
    type: 'object',
    description: `A record of kind ${index}.`,
    required: [],
    properties: {
      name: { type: 'string', description: 'Shown to people.', maxLength: 200 },
      state: { type: 'string', enum: ['new', 'active', 'closed'] },
      created: { type: 'string', format: 'date-time', readOnly: true },
      labels: { type: 'array', items: { type: 'string' } },
      parent: {
        $ref: `#/components/schemas/Record${index % 10 === 9 ? index : Math.min(index + 1, schemas - 1)}`,
      },
    },
  };
}
