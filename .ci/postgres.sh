#!/usr/bin/env bash
# Runs a command against a PostgreSQL of its own: .ci/postgres.sh FOLDER COMMAND…
# The server listens on a free loopback port as long as the command runs; TOOLCRIB_TEST_POSTGRES is its URL.
set -euo pipefail
folder=$1
shift
bin=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1)
mkdir -p "$folder"
if [ "$(id -u)" -eq 0 ]; then
  # PostgreSQL refuses to run as root.
  chown postgres "$folder"
  chmod 700 "$folder"
  path=$folder
  while path=$(dirname "$path"); [ "$path" != / ]; do chmod a+x "$path"; done
  as_owner() { runuser -u postgres -- "$@"; }
else
  as_owner() { "$@"; }
fi
port=$(node -e "const s=require('node:net').createServer().listen(0,'127.0.0.1',()=>{console.log(s.address().port);s.close()})")
as_owner "$bin/initdb" --pgdata "$folder/data" --auth trust --encoding UTF8 --no-locale --no-sync --username postgres >/dev/null
as_owner "$bin/pg_ctl" --pgdata "$folder/data" --wait --silent --log "$folder/log" start \
  -o "-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories='$folder' -c max_connections=200"
trap 'as_owner "$bin/pg_ctl" --pgdata "$folder/data" --mode fast --silent stop' EXIT
export TOOLCRIB_TEST_POSTGRES=postgres://postgres@127.0.0.1:$port/postgres
"$@"
