# Podman's Docker API: https://packages.debian.org/podman. Podman serves no document: DOCKER_DOCUMENT is the path of
# Docker's, version 1.33, as OpenAPI 3.
case $1 in
install) apt-get install --yes --no-install-recommends podman ;;
start)
    [ -f "$DOCKER_DOCUMENT" ] || exit 127
    exec podman --root "$PWD/root" --runroot "$PWD/run" --tmpdir "$PWD/tmp" --storage-driver vfs --cgroup-manager cgroupfs \
        system service --time 0 "tcp://127.0.0.1:$PORT"
    ;;
document) curl --fail --silent --output /dev/null "$BASE/_ping" && cat "$DOCKER_DOCUMENT" ;;
esac
