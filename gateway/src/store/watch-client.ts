/**
 * Asks PostgreSQL to notice within a minute that this process is gone, where no packet tells it: by itself it keeps the
 * connection for two hours, and there are not many. Settings of a session, which no pooler has to know.
 */
export const WATCH_CLIENT =
  'set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3';
