/**
 * A port of the loopback interface where nobody listens: of the discard service (RFC 863), which no system starts. One
 * that was open a moment ago may be another test's by now.
 */
export const REFUSED_PORT = 9;
