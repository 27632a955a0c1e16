// A warehouse API of 120 operations: the same five for each of 24 kinds of records. Served on loopback.
import { answerJson, listenOnLoopback } from '../support/loopback.mjs';

const KINDS =
  'pallet shelf forklift dock gate shipment parcel label carrier driver route invoice refund supplier customer contract product batch recall inspection sensor alarm shift badge'.split(
    ' ',
  );

export const STALE = 37;

/** An OpenAPI document: list, read, create, update and delete of every kind. */
export function warehouseDocument(baseUrl) {
  const paths = {};
  for (const kind of KINDS) {
    const title = kind[0].toUpperCase() + kind.slice(1);
    const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
    const body = {
      required: true,
      content: {
        'application/json': {
          schema: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
        },
      },
    };
    const operation = (operationId, summary, more = {}) => ({
      operationId: `${operationId}${title}`,
      summary: `${summary}.`,
      tags: [kind],
      responses: { 200: { description: 'Done' } },
      ...more,
    });
    paths[`/${kind}s`] = {
      get: operation('list', `List ${kind}s by place, newest first`, {
        parameters: [
          { name: 'place', in: 'query', description: 'Only at this place', schema: { type: 'string' } },
          { name: 'since', in: 'query', description: 'Only changed after', schema: { type: 'string' } },
        ],
      }),
      post: operation('add', `Register a new ${kind}`, { requestBody: body }),
    };
    paths[`/${kind}s/{id}`] = {
      get: operation('read', `Read one ${kind} with its history`, { parameters: [id] }),
      put: operation('change', `Change the data of a ${kind}`, { parameters: [id], requestBody: body }),
      delete: operation('remove', `Remove a ${kind} for good`, { parameters: [id] }),
    };
  }
  return { openapi: '3.1.0', info: { title: 'Warehouse', version: '1' }, servers: [{ url: baseUrl }], paths };
}

/** Answers lists with 60 rows, some of them stale, and notes what it is asked. */
export async function serveWarehouse() {
  const seen = [];
  const listener = (request, response) => {
    seen.push(`${request.method} ${request.url}`);
    const rows = Array.from({ length: 60 }, (_, id) => ({
      id,
      name: `row ${id}`,
      status: id === STALE ? 'stale' : 'fresh',
      place: 'hall 3',
    }));
    const isList = /^\/\w+s(\?|$)/.test(request.url);
    answerJson(response, 200, isList ? rows : rows[0]);
  };
  return { ...(await listenOnLoopback(listener)), seen };
}
