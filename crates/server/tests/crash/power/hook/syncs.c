/* Functions that make changes durable. `sync`, `syncfs`, `msync` and `sync_file_range` don't count,
 * which is the stricter view. No process here calls them. */
#include "hook.h"

static uint64_t syncs;

/* Whether a sync of the folder at `path` covers names that are followed. The root's own name is in
 * its parent folder. */
static int holds_names(const char *path) {
    size_t length = strlen(path);
    return is_below(path, root) || (is_below(root, path) && !strchr(root + length + 1, '/'));
}

/* Whether the folder of the records has a file with this name. */
static int has(const char *name, int flags) {
    int folder = syscall(SYS_openat, AT_FDCWD, place, O_DIRECTORY | O_CLOEXEC);
    int file = syscall(SYS_openat, folder, name, flags | O_RDONLY | O_CLOEXEC, 0600);
    syscall(SYS_close, folder);
    if (file >= 0) syscall(SYS_close, file);
    return file >= 0;
}

/* Syncs the file at `path` as the disk can at the moment. Only waits for a write-ahead log are announced. */
static long sync_on_disk(long number, int fd, const char *path) {
    const char *end = strrchr(path, '-');
    for (int waits = 0; has("slow", 0); waits = 1) {
        if (!waits && end && !strcmp(end, "-wal")) has("waits", O_CREAT);
        usleep(1000);
    }
    if (has("broken", 0)) {
        errno = EIO;
        return -1;
    }
    return syscall(number, fd);
}

static int sync_noted(long number, int fd) {
    char path[PATH_MAX];
    struct stat about;
    if (fd < 0 || fstat(fd, &about) != 0 || !path_of(fd, path)) return syscall(number, fd);
    int folder = S_ISDIR(about.st_mode) && holds_names(path);
    if (!folder && !(S_ISREG(about.st_mode) && is_below(path, root))) return syscall(number, fd);
    if (is_below(path, lies)) return 0;
    take();
    uint64_t sync = (uint64_t)getpid() << 32 | ++syncs;
    uint64_t file = folder ? 0 : about.st_ino;
    note((struct record){.kind = SYNC, .file = file, .sync = sync}, folder ? path : NULL, NULL);
    give(0);
    long done = sync_on_disk(number, fd, path);
    take();
    if (done == 0) note((struct record){.kind = SYNCED, .sync = sync}, NULL, NULL);
    return give(done);
}

EXPORT int fsync(int fd) { return sync_noted(SYS_fsync, fd); }
EXPORT int fdatasync(int fd) { return sync_noted(SYS_fdatasync, fd); }
