/** The company's own HTTP API: knows nothing of MCP. Its description is orders.yaml. */
export function createService() {
  const orders = [];
  return async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://localhost');
    const id = Number(/^\/orders\/(\d+)$/.exec(pathname)?.[1]);
    if (request.method === 'GET' && pathname === '/orders') {
      const wanted = searchParams.get('status')?.split(',');
      return answer(
        response,
        200,
        orders.filter(({ status }) => wanted === undefined || wanted.includes(status)).toReversed(),
      );
    }
    if (request.method === 'POST' && pathname === '/orders') {
      const { article, quantity = 1 } = await readJson(request);
      orders.push({ id: orders.length + 1, article, quantity, status: 'open' });
      return answer(response, 201, orders.at(-1));
    }
    const order = orders.find((candidate) => candidate.id === id);
    if (request.method === 'DELETE' && order !== undefined) {
      order.status = 'cancelled';
      return response.writeHead(204).end();
    }
    return answer(
      response,
      404,
      { title: 'Not found', detail: `There is no order ${id}.` },
      'application/problem+json',
    );
  };
}

function answer(response, status, value, contentType = 'application/json') {
  response.writeHead(status, { 'content-type': contentType }).end(JSON.stringify(value));
}

async function readJson(request) {
  return JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString('utf8'));
}
