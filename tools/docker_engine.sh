#!/usr/bin/env bash
# Make a Docker engine answer, and an image called "euchre-arena-base" exist. Needs root and apt where they are missing.
set -euo pipefail

if ! command -v dockerd >/dev/null; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq docker.io >/dev/null
fi
if ! docker info >/dev/null 2>&1; then
    # An engine that was killed leaves files behind that keep the next one from starting.
    if ! pgrep -r D,R,S,T -x dockerd >/dev/null; then
        rm -f /var/run/docker.pid /var/run/docker/containerd/containerd.pid
    fi
    nohup setsid dockerd >"${TMPDIR:-/tmp}/dockerd.log" 2>&1 &
    for _ in $(seq 100); do
        docker info >/dev/null 2>&1 && break
        sleep 0.2
    done
fi
docker info >/dev/null || { echo "the Docker engine did not start; see ${TMPDIR:-/tmp}/dockerd.log" >&2; exit 4; }

# No image is pulled: a base is made from Debian's packages.
if ! docker image inspect euchre-arena-base >/dev/null 2>&1; then
    command -v mmdebstrap >/dev/null || DEBIAN_FRONTEND=noninteractive apt-get install -y -qq mmdebstrap >/dev/null
    suite=$(. /etc/os-release && echo "${VERSION_CODENAME:-bookworm}")
    mmdebstrap --quiet --variant=minbase --include=python3,python3-venv,python3-pip,ca-certificates "$suite" - |
        docker import - euchre-arena-base >/dev/null
fi
