#!/usr/bin/env bash
# Starts a Citus cluster on loopback, to try things on: a coordinator and two workers under a temporary folder, with the
# tables of Tollbook distributed, until Ctrl-C. Postgres does not run as root: call it as another user.
#
#   scripts/citus.sh            the first port is 9700; CITUS_PORT changes it
#
# Where Citus is not packaged, it is built in ten minutes (Debian 12 with Postgres 15):
#   apt install postgresql-server-dev-15 libcurl4-openssl-dev liblz4-dev libzstd-dev libssl-dev libxml2-dev \
#     libxslt1-dev libkrb5-dev libicu-dev libpam0g-dev libselinux1-dev libreadline-dev flex bison autoconf
#   git clone --branch v13.2.2 https://github.com/citusdata/citus && cd citus
#   # Where Postgres declares have_createdb_privilege itself (15.20 does), remove it from src/include/pg_version_compat.h.
#   ./configure && make && sudo make install
set -euo pipefail
cd "$(dirname "$0")/.."
bin=$(pg_config --bindir)
if [ ! -e "$(pg_config --pkglibdir)/citus.so" ]; then
  echo "Citus is not installed here; this script says how to build it." >&2
  exit 1
fi
port=${CITUS_PORT:-9700}
folder=$(mktemp -d)
stop() {
  for n in 0 1 2; do "$bin/pg_ctl" -D "$folder/$n" -m immediate stop >/dev/null 2>&1 || true; done
  rm -rf "$folder"
}
trap stop EXIT
trap 'exit 0' INT TERM
ask() { "$bin/psql" -qAt -h 127.0.0.1 -U postgres -v ON_ERROR_STOP=1 "$@"; }
for n in 0 1 2; do
  "$bin/initdb" -D "$folder/$n" -U postgres --auth=trust --encoding=UTF8 --locale=C >/dev/null
  cat >>"$folder/$n/postgresql.conf" <<CONF
port = $((port + n))
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
shared_preload_libraries = 'citus'
max_connections = 300
max_prepared_transactions = 300
citus.local_hostname = '127.0.0.1'
citus.node_conninfo = 'sslmode=disable'
CONF
  "$bin/pg_ctl" -D "$folder/$n" -l "$folder/$n.log" -w start >/dev/null
  ask -p $((port + n)) -c 'create database tollbook'
  ask -p $((port + n)) -d tollbook -c 'create extension citus'
done
ask -p "$port" -d tollbook -c "select citus_set_coordinator_host('127.0.0.1', $port)" >/dev/null
for n in 1 2; do ask -p "$port" -d tollbook -c "select citus_add_node('127.0.0.1', $((port + n)))" >/dev/null; done
export DATABASE_URL="postgres://postgres@127.0.0.1:$port/tollbook"
node bin/tollbook.js distribute
echo "DATABASE_URL=$DATABASE_URL"
while sleep 1; do :; done
