/** Rows as the service lists them: made, the same in every process, with nested objects, nulls and failures among them. */
export type Row = Readonly<Record<string, unknown>>;

export const ROW_COUNT = 1000;

const START = Date.UTC(2025, 10, 14, 8);
const time = (index: number): string => new Date(START + index * 60_000).toISOString();
const repeat = (make: (index: number) => Row): readonly Row[] =>
  Array.from({ length: ROW_COUNT }, (_, index) => make(index));
/** Every 50th is failed, every 20th of the others warns. */
const statusOf = (index: number, good: string, warning: string, bad: string): string =>
  index % 50 === 7 ? bad : index % 20 === 3 ? warning : good;
const service = (index: number, every: number) => ({
  deployed: index % every === 0 ? 1 : 0,
  running: index % every === 0 ? 1 : 0,
  isDeployed: index % every === 0,
  isRunning: index % every === 0 ? true : null,
});

export function servers(): readonly Row[] {
  return repeat((index) => ({
    id: index + 1,
    hostname: `ceph-${String(index + 1).padStart(4, '0')}`,
    ip: `10.0.${Math.floor(index / 250)}.${(index % 250) + 1}`,
    status: statusOf(index, 'ok', 'warning', 'error'),
    role: index % 10 === 0 ? 'monitor' : 'storage',
    state: index % 50 === 7 ? 'offline' : 'running',
    stateLabel: index % 50 === 7 ? 'Offline' : 'Running',
    macs: [`02:00:00:00:${hexByte(index >> 8)}:${hexByte(index)}`],
    macsFormatted: `02:00:00:00:${hexByte(index >> 8)}:${hexByte(index)}`,
    image: 'croit-2025-11',
    imageDescription: 'Release of November 2025',
    hardware: null,
    lastSeen: `PT${index % 60}S`,
    daemonVersion: index % 3 === 0 ? null : 17,
    usedPorts: [6789, 3300 + (index % 7)],
    ips: [`10.0.${Math.floor(index / 250)}.${(index % 250) + 1}`],
    health: {
      uptime: index % 50 === 7 ? null : `PT${index}H`,
      uptimeFormatted: `${index} h`,
      clockDrift: index / 1000,
      freeRam: (index + 1) * 1_048_576,
      freeRamFormatted: `${index + 1} MiB`,
      bootSource: 'network',
    },
    ipmi: null,
    notes: index % 100 === 0 ? 'rack door is stuck' : null,
    machineId: `machine-${index + 1}`,
    services: {
      osd: service(index, 1),
      mon: service(index, 10),
      mgr: service(index, 20),
      smb: service(index, 100),
      nfs: service(index, 100),
      mds: service(index, 50),
      iscsi: service(index, 100),
      rgw: service(index, 40),
      rbdMirror: service(index, 200),
      nvmfTgt: service(index, 200),
      daosServer: service(index, 500),
      daosAgent: service(index, 500),
    },
    ramUsageFormatted: `${index % 100} %`,
  }));
}

export function services(): readonly Row[] {
  const types = ['osd', 'mon', 'mgr', 'radosgw', 'mds', 'nfs_gateway'];
  return repeat((index) => ({
    id: `svc-${index + 1}`,
    name: `${types[index % types.length]}.${index + 1}`,
    type: types[index % types.length],
    typeLabel: types[index % types.length]!.toUpperCase(),
    state: index % 50 === 7 ? 'creation_failed' : 'enabled',
    status: statusOf(index, 'running', 'degraded', 'failed'),
    hostname: `ceph-${String((index % 40) + 1).padStart(4, '0')}`,
    server: index % 9 === 0 ? null : (index % 40) + 1,
    ip: index % 9 === 0 ? null : `10.0.0.${(index % 40) + 1}`,
    running: index % 50 !== 7,
    multiServer: [(index % 40) + 1],
    health: null,
    port: types[index % types.length] === 'radosgw' ? 7480 : null,
  }));
}

export function osds(): readonly Row[] {
  return repeat((index) => ({
    id: index,
    osd: index,
    status: statusOf(index, 'up', 'nearfull', 'down'),
    up: index % 50 !== 7,
    host: `ceph-${String((index % 40) + 1).padStart(4, '0')}`,
    used_percent: (index * 7) % 100,
    device: { class: index % 3 === 0 ? 'ssd' : 'hdd', path: `/dev/sd${'abcdef'[index % 6]}` },
    weight: index % 11 === 0 ? null : 1.5,
  }));
}

export function pools(): readonly Row[] {
  return repeat((index) => ({
    name: `pool-${String(index + 1).padStart(4, '0')}`,
    poolId: index + 1,
    description: index % 4 === 0 ? 'replicated over racks' : '',
    erasureCoding: index % 5 === 0,
    status: statusOf(index, 'active', 'warning', 'error'),
    size: 3,
    minSize: 2,
    pgNum: 2 ** ((index % 8) + 3),
    pgpNum: index % 6 === 0 ? null : 32,
    quotaMaxBytes: 0,
    quotaMaxObjects: 0,
    used_bytes: (index + 1) * 1_000_000,
    percent_used: index % 100,
    application: index % 7 === 0 ? null : ['rbd', 'cephfs', 'rgw'][index % 3],
    stats: {
      bytes: (index + 1) * 1_000_000,
      objects: index * 10,
      bytesFormatted: `${index + 1} MB`,
      readBytesPerSecFormatted: '0 B/s',
      writeBytesPerSecFormatted: '0 B/s',
    },
    hints: index % 50 === 7 ? [{ message: 'Too few placement groups', severity: 'WARN' }] : [],
    redundancy: index % 5 === 0 ? '4+2' : '3x',
    deleteProtected: index % 2 === 0,
    unprotectedUntil: null,
    unprotectedUntilFormatted: '',
    quotaMaxBytesFormatted: '',
    quotaMaxObjectsFormatted: '',
  }));
}

export function tasks(): readonly Row[] {
  return repeat((index) => ({
    id: index + 1,
    name: index % 2 === 0 ? 'Scrub placement groups' : 'Create OSD',
    state: index % 50 === 7 ? 'FAILED' : index % 20 === 3 ? 'RUNNING' : 'FINISHED',
    status: statusOf(index, 'ok', 'running', 'failed'),
    done: index % 20 !== 3,
    statusCode: index % 50 === 7 ? 500 : 200,
    startedAt: time(index),
    startedBy: index % 10 === 0 ? 'system' : 'admin',
    progress: null,
    error: index % 50 === 7 ? 'no space left on device' : null,
    object: index % 3 === 0 ? null : `osd.${index}`,
    output: `line 1 of task ${index + 1}\n`,
    cancelled: false,
    question: null,
  }));
}

export function logs(): readonly Row[] {
  const levels = ['info', 'info', 'debug', 'info', 'notice'];
  return repeat((index) => ({
    id: index + 1,
    timestamp: time(index),
    level: index % 50 === 7 ? 'error' : index % 20 === 3 ? 'warning' : levels[index % levels.length],
    service: `osd.${index % 40}`,
    message: index % 50 === 7 ? 'slow request: timeout of 30 s' : `heartbeat ${index} of osd.${index % 40}`,
    context: index % 8 === 0 ? null : { thread: index % 16, host: `ceph-${(index % 40) + 1}` },
  }));
}

/** Audit entries: a limit and an offset of their own instead of `pagination`. */
export function audit(): readonly Row[] {
  return repeat((index) => ({
    id: index + 1,
    time: time(index),
    category: 'pools',
    operation: 'update',
    username: index % 10 === 0 ? 'system' : 'admin',
    ip: '10.0.0.1',
    method: 'PATCH',
    status: index % 50 === 7 ? 500 : 204,
    endpoint: `/api/pools/pool-${index + 1}`,
    queryParams: '',
    body: '{}',
  }));
}

function hexByte(value: number): string {
  return (value & 0xff).toString(16).padStart(2, '0');
}
