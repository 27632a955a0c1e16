import { type Era, FEATURES } from './features.ts';

export type UpstreamTransport = 'stdio' | 'http' | 'sse';

/** One column: a client of one era before an upstream of one transport and era. */
export interface Column {
  readonly client: Era;
  readonly transport: UpstreamTransport;
  readonly upstream: Era;
}

const ERAS: readonly Era[] = ['legacy', 'modern'];
const TRANSPORTS: readonly UpstreamTransport[] = ['stdio', 'http', 'sse'];

/** HTTP+SSE is the transport of 2024-11-05; the newer era has no such thing. */
const NO_MODERN_SSE =
  'not possible: HTTP+SSE is the transport of 2024-11-05, which Streamable HTTP has replaced (MCP 2026-07-28, basic/transports, Backwards Compatibility)';

export const COLUMNS: readonly Column[] = ERAS.flatMap((client) =>
  TRANSPORTS.flatMap((transport) =>
    ERAS.filter((upstream) => transport !== 'sse' || upstream === 'legacy').map((upstream) => ({
      client,
      transport,
      upstream,
    })),
  ),
);

const REVISION: Readonly<Record<Era, string>> = { legacy: '2025-11-25', modern: '2026-07-28' };
const NAMES: Readonly<Record<UpstreamTransport, string>> = {
  stdio: 'stdio',
  http: 'Streamable HTTP',
  sse: 'HTTP+SSE',
};

/** The page that the tests keep true: one row a combination, one column a feature. */
export function matrixPage(passed: (column: Column, feature: string) => boolean): string {
  const features = Object.keys(FEATURES);
  const rows = COLUMNS.map((column) => {
    const upstream = column.transport === 'sse' ? '2024-11-05 and later' : REVISION[column.upstream];
    const cells = features.map((feature) => (passed(column, feature) ? 'passes' : 'fails'));
    return [REVISION[column.client], NAMES[column.transport], upstream, ...cells];
  });
  const head = ['client', 'upstream transport', 'upstream revision', ...features];
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    '# What passes between clients and upstream servers',
    '',
    'Written by `gateway/test/matrix/`: each cell is a real client of the official library, a gateway and a real server. `TOOLCRIB_WRITE_MATRIX=1` writes it anew.',
    '',
    line(head),
    line(head.map(() => '---')),
    ...rows.map(line),
    '',
    `HTTP+SSE with a server of 2026-07-28 is ${NO_MODERN_SSE}.`,
    '',
    'How the eras meet, by the specification:',
    '',
    '- Log lines reach a client of 2026-07-28 only for a request that names a log level (MCP 2026-07-28, server/utilities/logging); the cells above name one.',
    '- Questions of a server reach a client of 2026-07-28 as `input_required` and never as a request (MCP 2026-07-28, basic/patterns/mrtr); the call of an older server is held meanwhile.',
    '- Changes reach a client of 2026-07-28 on its `subscriptions/listen` only, of the kinds that it asked for (MCP 2026-07-28, basic/utilities/subscriptions).',
    '- Closing the stream of a request cancels it since 2026-07-28; before, only `notifications/cancelled` does (MCP 2025-11-25, basic/utilities/cancellation).',
    '',
  ].join('\n');
}
