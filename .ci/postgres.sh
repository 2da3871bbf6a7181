# shellcheck shell=bash
# A PostgreSQL server of one run, so that its tests wait for no disk: nothing on it outlives the run, it never calls
# fsync, and its files lie in memory where there is room. A night makes some hundred files of temporary tables, which
# on a disk take PostgreSQL nearly as long as the statements. Hundreds of databases live for some seconds each: nobody
# cleans up behind them, and nothing is kept for a copy of the server.

ROOM_KB_MIN=8000000
VERSION_MIN=15

as_postgres() { # command…: initdb refuses to be root
  if [ "$(id -u)" -eq 0 ]; then (cd / && runuser -u postgres -- "$@"); else "$@"; fi
}

programs() { # prints where the newest PostgreSQL of this machine has its programs, or nothing
  local version
  version=$(find /usr/lib/postgresql -mindepth 1 -maxdepth 1 -printf '%f\n' 2>/dev/null | sort -n | tail -n 1)
  [ "${version:-0}" -ge "$VERSION_MIN" ] && [ -x "/usr/lib/postgresql/$version/bin/initdb" ] &&
    printf '/usr/lib/postgresql/%s/bin' "$version"
}

has_room_in_memory() {
  local free available
  free=$(df --output=avail /dev/shm 2>/dev/null | tail -n 1)
  available=$(awk '/^MemAvailable:/ { print $2 }' /proc/meminfo 2>/dev/null)
  [ "${free:-0}" -ge "$ROOM_KB_MIN" ] && [ "${available:-0}" -ge "$ROOM_KB_MIN" ]
}

own_server() { # starts a server; prints its folder, which has its address in `url`, or nothing
  local bin folder port
  bin=$(programs)
  [ -n "$bin" ] || return 0
  if has_room_in_memory; then folder=$(mktemp -d /dev/shm/recon-ci-XXXXXX); else folder=$(mktemp -d); fi
  chmod 711 "$folder"
  mkdir "$folder/data"
  [ "$(id -u)" -ne 0 ] || chown postgres "$folder/data"
  port=$(node -e "const s = require('net').createServer().listen(0, '127.0.0.1', () => {
    console.log(s.address().port); s.close(); })")
  if {
    as_postgres "$bin/initdb" -D "$folder/data" -U recon -E UTF8 --locale=C.UTF-8 --auth=trust --no-sync &&
      as_postgres "$bin/pg_ctl" -D "$folder/data" -l "$folder/data/log" -w start -o "-p $port \
        -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off -c full_page_writes=off \
        -c autovacuum=off -c wal_level=minimal -c max_wal_senders=0 -c shared_buffers=512MB"
  } >"$folder/told" 2>&1; then
    printf 'postgres://recon@127.0.0.1:%s/postgres' "$port" >"$folder/url"
    printf '%s' "$folder"
  else
    cat "$folder/told" >&2
    rm -rf "$folder"
  fi
}

stop_server() { # its folder
  as_postgres "$(programs)/pg_ctl" -D "$1/data" -m immediate stop >/dev/null 2>&1
  rm -rf "$1"
}
