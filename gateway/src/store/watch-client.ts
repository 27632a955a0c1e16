/**
 * Asks PostgreSQL to notice within a minute that this process is gone, where no packet tells it: by itself it keeps the
 * connection for two hours, and there are not many. In return it ends none that is only quiet, whatever the role has.
 * Settings of a session, which no pooler has to know.
 */
export const WATCH_CLIENT =
  'set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3; set idle_session_timeout = 0';
