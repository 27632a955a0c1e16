// A bank that asks for a client certificate, and the proxy that alone leads to it. Both on this machine.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer as createProxy } from 'node:http';
import { createServer as createBank } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';

const USER = `Basic ${Buffer.from('gateway:let me out').toString('base64')}`;

export async function startNetwork() {
  const file = (name) => readFile(join(import.meta.dirname, 'certificates', name));
  const bank = createBank(
    {
      cert: await file('bank.pem'),
      key: await file('bank.key'),
      ca: await file('authority.pem'),
      requestCert: true,
      rejectUnauthorized: true,
    },
    (request, response) => {
      const client = request.socket.getPeerCertificate().subject.CN;
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ client, accounts: [{ iban: 'DE02120300000000202051', balance: 12.5 }] }));
    },
  );
  bank.listen(0, '127.0.0.1');
  await once(bank, 'listening');

  /** What the proxy saw: where a tunnel should lead, and nothing of what went through it. */
  const asked = [];
  const proxy = createProxy((_request, response) => response.writeHead(405).end());
  proxy.on('connect', (request, socket, head) => {
    asked.push(request.url);
    socket.on('error', () => socket.destroy());
    if (request.headers['proxy-authorization'] !== USER) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    if (request.url !== 'bank.example:443') {
      socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    const onward = connect(bank.address().port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.write(head);
      socket.pipe(onward).pipe(socket);
    });
    onward.on('error', () => socket.destroy());
    socket.on('close', () => onward.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');

  return {
    proxyUrl: `http://gateway:let%20me%20out@127.0.0.1:${proxy.address().port}`,
    asked,
    close() {
      proxy.closeAllConnections();
      proxy.close();
      bank.closeAllConnections();
      bank.close();
    },
  };
}

if (process.argv[1] === import.meta.filename) {
  const { proxyUrl } = await startNetwork();
  console.log(`export COMPANY_PROXY='${proxyUrl}'`);
}
