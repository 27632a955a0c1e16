import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A stand-in for Open-Meteo on a loopback port, which remembers what it was asked. */
export interface OpenMeteoDouble {
  readonly url: string;
  /** Request targets as they came, newest last. */
  readonly requests: string[];
  close(): Promise<void>;
}

export async function startOpenMeteoDouble(): Promise<OpenMeteoDouble> {
  const requests: string[] = [];
  const server: Server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://double.test');
    const [status, body] = answer(pathname, searchParams);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function answer(path: string, query: URLSearchParams): [number, object] {
  if (path === '/v1/search') {
    const place = {
      id: 2267057,
      name: 'Lisbon',
      latitude: 38.71667,
      longitude: -9.13333,
      country: 'Portugal',
    };
    return [200, query.get('name') === 'Lisbon' ? { results: [place] } : { generationtime_ms: 0.1 }];
  }
  if (path === '/v1/forecast') {
    if (query.get('latitude') === '0') return [400, { error: true, reason: 'Out of the sea.' }];
    return [
      200,
      {
        latitude: Number(query.get('latitude')),
        longitude: Number(query.get('longitude')),
        current_units: { time: 'iso8601', temperature_2m: '°C' },
        current: { time: '2026-11-21T12:00', interval: 900, temperature_2m: 17.4 },
      },
    ];
  }
  return [404, { error: true, reason: 'Not Found' }];
}
