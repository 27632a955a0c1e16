import { expect, it, onTestFinished, vi } from 'vitest';
import { SourceWatch } from '../src/assembly/compiling/watch-sources.ts';
import { documentWith, liveFolder, toolNames } from './live-folder.ts';
import { liveService } from './live-service.ts';

it('a document behind an address that cannot be read at the start is asked for again, until it can', async () => {
  const { again } = SourceWatch.prototype;
  const pauses: (number | undefined)[] = [];
  const spy = vi.spyOn(SourceWatch.prototype, 'again');
  onTestFinished(() => spy.mockRestore());
  spy.mockImplementation(function (this: SourceWatch, source, afterMs) {
    if (source === 'away') pauses.push(afterMs);
    again.call(this, source, afterMs === undefined ? undefined : 10);
  });
  let asked = 0;
  const service = await liveService((_request, response) => {
    if (++asked < 3) response.writeHead(503).end();
    else response.end(documentWith('https://api.example.com', 'one'));
    return true;
  });
  const { put, configure, start } = await liveFolder();
  await put('here.json', documentWith('https://api.example.com', 'two'));
  await configure({
    sources: { away: { openapi: `${service.base}/openapi.json` }, here: { openapi: './here.json' } },
  });
  const gateway = await start();
  await expect.poll(() => toolNames(gateway)).toEqual(['away_one', 'here_two']);
  expect(pauses).toEqual([30_000, 30_000, undefined]);
});
