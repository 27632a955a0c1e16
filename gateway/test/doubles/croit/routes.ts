import type { Answer, ReceivedRequest } from '../loopback-service.ts';
import type { Role } from './accounts.ts';
import { badRequest, download, json, NO_CONTENT, NOT_FOUND } from './answers.ts';
import { listAnswer } from './pagination.ts';
import * as rows from './rows.ts';

/** What one route does with decoded path parameters, by name. */
export interface CroitRoute {
  readonly method: string;
  /** `{name}` is one segment or part of one; `{name*}` may hold slashes. */
  readonly path: string;
  /** Absent: open to everybody, without a token. */
  readonly role?: Role;
  readonly answer: (request: ReceivedRequest, parameters: Readonly<Record<string, string>>) => Answer;
}

/** What the service does beyond token-info. `/osds` and `/logs` are no paths of its document; they fit the seed's examples. */
export function croitRoutes(): readonly CroitRoute[] {
  return [
    ...lists(),
    ...singles(),
    ...downloads(),
    { method: 'GET', path: '/status', answer: () => json(200, STATUS) },
    {
      method: 'GET',
      path: '/audit',
      role: 'admin',
      answer: ({ query }) => {
        const asked = new Map(query);
        const offset = Number(asked.get('offset') ?? 0);
        const limit = Number(asked.get('limit') ?? rows.ROW_COUNT);
        if (!Number.isInteger(offset) || !Number.isInteger(limit)) return badRequest('Not a number');
        return json(200, rows.audit().slice(offset, offset + limit));
      },
    },
    { method: 'POST', path: '/pools', role: 'admin', answer: withJson(() => ({ status: 201 })) },
    { method: 'POST', path: '/auth/logout', role: 'viewer', answer: () => NO_CONTENT },
    { method: 'POST', path: '/tasks/{id}/cancel', role: 'admin', answer: () => ({ status: 201 }) },
    { method: 'DELETE', path: '/disks/wipe', role: 'admin', answer: withJson(() => json(200, TASK)) },
    { method: 'GET', path: '/daos', role: 'viewer', answer: () => json(200, [{ id: 1, name: 'daos' }]) },
  ];
}

function lists(): CroitRoute[] {
  const list = (path: string, all: readonly rows.Row[], optional = true): CroitRoute => ({
    method: 'GET',
    path,
    role: 'viewer',
    answer: (request) => listAnswer(all, request, optional),
  });
  return [
    list('/servers', rows.servers()),
    list('/services', rows.services()),
    list('/osds', rows.osds()),
    list('/pools', rows.pools()),
    list('/tasks', rows.tasks(), false),
    list('/logs', rows.logs()),
  ];
}

function singles(): CroitRoute[] {
  const known = (all: readonly rows.Row[], member: string, answer: (row: rows.Row) => Answer) => {
    const found = new Map(all.map((row) => [String(row[member]), row]));
    return (_request: ReceivedRequest, parameters: Readonly<Record<string, string>>): Answer => {
      const row = found.get(Object.values(parameters)[0] ?? '');
      return row === undefined ? NOT_FOUND : answer(row);
    };
  };
  return [
    {
      method: 'DELETE',
      path: '/servers/{id}',
      role: 'admin',
      answer: known(rows.servers(), 'id', () => NO_CONTENT),
    },
    {
      method: 'DELETE',
      path: '/pools/{name}',
      role: 'admin',
      answer: known(rows.pools(), 'name', () => NO_CONTENT),
    },
    {
      method: 'GET',
      path: '/tasks/{id}',
      role: 'viewer',
      answer: known(rows.tasks(), 'id', (row) => json(200, row)),
    },
  ];
}

function downloads(): CroitRoute[] {
  const file = (path: string, role: Role | undefined, name: string): CroitRoute => ({
    method: 'GET',
    path,
    ...(role === undefined ? {} : { role }),
    answer: () => download(name),
  });
  return [
    file('/cephfs/download', 'viewer', 'file.bin'),
    file('/logs/export', 'viewer', 'logs.json.gz'),
    file('/maintenance/backup', 'admin', 'backup.tar'),
    file('/images/{image}/{file}', undefined, 'kernel'),
    file('/download/{token}/{fileName}', undefined, 'download.bin'),
    {
      method: 'GET',
      path: '/extra-files/{path*}',
      answer: (_request, { path = '' }) =>
        path.endsWith('.missing') ? NOT_FOUND : download(path.split('/').at(-1)!),
    },
  ];
}

function withJson(answer: () => Answer): CroitRoute['answer'] {
  return ({ body }) => {
    try {
      JSON.parse(body.toString('utf8'));
    } catch {
      return badRequest('The body is not JSON');
    }
    return answer();
  };
}

const STATUS = {
  doSetup: false,
  cephConfigured: true,
  daosConfigured: false,
  status: 'UP',
  oktaOAuth: false,
  versions: [],
  currentVersion: '2025.11',
  useCustomLogo: false,
  backends: null,
  error: null,
};

const TASK = {
  id: 1,
  startedAt: '2025-11-14T08:00:00Z',
  startedBy: 'admin',
  name: 'Wipe disks',
  state: 'RUNNING',
  done: false,
  output: '',
};
