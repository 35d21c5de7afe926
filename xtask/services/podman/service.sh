# Podman's Docker API: https://packages.debian.org/podman. Its document is Docker's, of version 1.33 or so, as OpenAPI 3:
# DOCKER_DOCUMENT is its path.
case $1 in
install) apt-get install --yes --no-install-recommends podman ;;
start)
    [ -f "$DOCKER_DOCUMENT" ] || exit 127
    exec podman --root "$PWD/root" --runroot "$PWD/run" --tmpdir "$PWD/tmp" --storage-driver vfs --cgroup-manager cgroupfs \
        system service --time 0 "tcp://127.0.0.1:$PORT"
    ;;
document) curl --fail --silent --output /dev/null "$BASE/_ping" && cat "$DOCKER_DOCUMENT" ;;
esac
