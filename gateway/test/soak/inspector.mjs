import { once } from 'node:events';

/** Memory of a Node process that was started with `--inspect`, after everything that can go is collected. Bytes. */
export async function openInspector(port) {
  const [target] = await (await fetch(`http://127.0.0.1:${port}/json`)).json();
  const socket = new WebSocket(target.webSocketDebuggerUrl);
  await once(socket, 'open');
  let id = 0;
  const answers = new Map();
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(data);
    answers.get(message.id)?.(message.result);
  });
  const ask = (method, params = {}) =>
    new Promise((resolve) => {
      answers.set(++id, resolve);
      socket.send(JSON.stringify({ id, method, params }));
    });
  return {
    async memory() {
      // what a first collection frees may hold more that a second one frees
      await ask('HeapProfiler.collectGarbage');
      await ask('HeapProfiler.collectGarbage');
      const { result } = await ask('Runtime.evaluate', {
        expression: 'JSON.stringify(process.memoryUsage())',
        returnByValue: true,
      });
      return JSON.parse(result.value);
    },
    close: () => socket.close(),
  };
}
