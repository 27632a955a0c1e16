# syntax=docker/dockerfile:1
# docker build -t toolcrib . ; docs/packaging.md says how to run it, compose.yaml how to run it with PostgreSQL.

# Every dependency by the lock file; no script of a package runs.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
COPY gateway/package.json gateway/
COPY console/package.json console/
RUN npm ci --ignore-scripts
COPY gateway gateway
COPY console console
COPY examples/quickstart examples/quickstart
COPY LICENSE ./
# and readable for the user that runs it, whatever the umask of the checkout
RUN npm run build --workspace toolcrib-console && npm run build --workspace toolcrib && chmod -R go=rX LICENSE gateway

# What runs: the built package with its own dependencies, and nothing that builds.
FROM node:24.21.0-bookworm-slim AS modules
WORKDIR /opt/toolcrib
COPY package.json package-lock.json .npmrc ./
COPY gateway/package.json gateway/
COPY console/package.json console/
RUN npm ci --ignore-scripts --omit=dev --workspace toolcrib

FROM node:24.21.0-bookworm-slim
LABEL org.opencontainers.image.title="Toolcrib" \
      org.opencontainers.image.description="Compiles any API, connector or skill into governed MCP tools" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.source="https://github.com/toolcrib/toolcrib"
ENV NODE_ENV=production \
    XDG_STATE_HOME=/var/lib
COPY --from=modules /opt/toolcrib/node_modules /opt/toolcrib/node_modules
COPY --from=build /build/LICENSE /opt/toolcrib/LICENSE
COPY --from=build /build/gateway/package.json /opt/toolcrib/gateway/package.json
COPY --from=build /build/gateway/bin /opt/toolcrib/gateway/bin
COPY --from=build /build/gateway/bundle /opt/toolcrib/gateway/bundle
COPY --from=build /build/gateway/dist /opt/toolcrib/gateway/dist
COPY --from=build /build/gateway/console /opt/toolcrib/gateway/console
COPY --from=build /build/gateway/categories /opt/toolcrib/gateway/categories
COPY --from=build /build/gateway/manifests /opt/toolcrib/gateway/manifests
COPY --from=build /build/gateway/presets /opt/toolcrib/gateway/presets
COPY --from=build /build/gateway/schemas /opt/toolcrib/gateway/schemas
COPY --from=build /build/gateway/quickstart /opt/toolcrib/gateway/quickstart
RUN install -d -o 1000 -g 1000 -m 0700 /var/lib/toolcrib \
 && ln -s /opt/toolcrib/gateway/bin/toolcrib.mjs /usr/local/bin/toolcrib
WORKDIR /etc/toolcrib
# Cache, locks, artifacts, and the SQLite store where there is no PostgreSQL. Everything else may be read-only.
VOLUME /var/lib/toolcrib
# The user `node` of the image, as a number: what checks that nobody is root needs one.
USER 1000:1000
EXPOSE 8787
# with `server.tls` it speaks https; whose certificate that is does not matter to itself
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "const ask = (way) => new Promise((done, fail) => require(way).get({ host: '127.0.0.1', port: 8787, path: '/healthz', rejectUnauthorized: false }, (answer) => done(answer.statusCode)).on('error', fail)); ask('http').catch(() => ask('https')).then((status) => process.exit(status === 200 ? 0 : 1), () => process.exit(1))"]
# SIGTERM lets running calls end; the process answers signals as number 1, too. What servers leave behind only an init
# reaps: `docker run --init`, `init: true` of compose.
STOPSIGNAL SIGTERM
ENTRYPOINT ["toolcrib"]
# Beyond loopback callers need a token, or `auth: { mode: team }` in a mounted toolcrib.yaml.
CMD ["serve", "--host", "0.0.0.0", "--port", "8787", "--token", "env:TOOLCRIB_TOKEN"]
