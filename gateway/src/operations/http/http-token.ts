/**
 * A token of HTTP (RFC 9110, 5.6.2): names of header fields, methods and cookies. The pattern is part of the published
 * JSON schema of the configuration.
 */
export const HTTP_TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
