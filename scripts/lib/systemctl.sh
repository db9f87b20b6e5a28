#!/bin/bash
# Stands in for systemctl where no systemd runs: starts what a unit says, as its account, with its environment, and stops it.
set -eu
command=$1
shift
units=()
for word in "$@"; do [ "$word" = --now ] || units+=("${word%.service}"); done

setting() { sed -n "s/^$2=//p" "/etc/systemd/system/$1.service"; }

start() {
  local file words=()
  file=$(setting "$1" EnvironmentFile)
  while IFS= read -r line; do
    case $line in ''|'#'*) ;; *) words+=("$line") ;; esac
  done < "$file"
  read -ra exec <<< "$(setting "$1" ExecStart)"
  cd "$(setting "$1" WorkingDirectory)"
  umask "$(setting "$1" UMask)"
  setpriv --reuid="$(setting "$1" User)" --regid="$(setting "$1" Group)" --init-groups \
    env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "${words[@]}" "${exec[@]}" >> "/run/$1.log" 2>&1 &
  echo $! > "/run/$1.pid"
}

stop() {
  [ -f "/run/$1.pid" ] || return 0
  local pid seconds
  pid=$(cat "/run/$1.pid")
  rm "/run/$1.pid"
  seconds=$(setting "$1" TimeoutStopSec)
  kill -TERM "$pid" 2>/dev/null || return 0
  for ((i = 0; i < seconds * 10; i++)); do
    kill -0 "$pid" 2>/dev/null || return 0
    sleep 0.1
  done
  echo "$1 ne s’est pas arrêté en $seconds s" >&2
  kill -KILL "$pid"
  return 1
}

for unit in "${units[@]}"; do
  case $command in
    enable | start) start "$unit" ;;
    stop) stop "$unit" ;;
    restart) stop "$unit" && start "$unit" ;;
  esac
done
