/* Functions that change the names of files and folders. */
#include "hook.h"

#include <stdarg.h>

static long open_noted(int folder, const char *name, int flags, mode_t mode) {
    char path[PATH_MAX];
    struct stat about;
    int changes = flags & (O_CREAT | O_TRUNC);
    if (!changes || (flags & O_TMPFILE) == O_TMPFILE || !locate(folder, name, path))
        return syscall(SYS_openat, folder, name, flags, mode);
    take();
    int was_there = find(path, &about);
    long fd = syscall(SYS_openat, folder, name, flags & ~O_TRUNC, mode);
    if (fd < 0 || fstat(fd, &about) != 0 || !S_ISREG(about.st_mode)) return give(fd);
    if (!was_there) {
        keep_open(fd, about.st_ino);
        note((struct record){.kind = CREATE, .file = about.st_ino}, path, NULL);
    } else if (flags & O_TRUNC) {
        note_resize(fd, &about, 0);
        syscall(SYS_ftruncate, fd, 0);
    }
    return give(fd);
}

EXPORT int openat(int folder, const char *name, int flags, ...) {
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
    va_end(more);
    return open_noted(folder, name, flags, mode);
}
ALIAS("openat") int openat64(int folder, const char *name, int flags, ...);

EXPORT int open(const char *name, int flags, ...) {
    va_list more;
    va_start(more, flags);
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;
    va_end(more);
    return open_noted(AT_FDCWD, name, flags, mode);
}
ALIAS("open") int open64(const char *name, int flags, ...);

EXPORT int creat(const char *name, mode_t mode) {
    return open_noted(AT_FDCWD, name, O_CREAT | O_WRONLY | O_TRUNC, mode);
}
ALIAS("creat") int creat64(const char *name, mode_t mode);

EXPORT int unlinkat(int folder, const char *name, int flags) {
    char path[PATH_MAX];
    struct stat about;
    if (!locate(folder, name, path)) return syscall(SYS_unlinkat, folder, name, flags);
    take();
    if (!find(path, &about)) return give(syscall(SYS_unlinkat, folder, name, flags));
    if (S_ISREG(about.st_mode)) keep(path, about.st_ino, 0);
    long done = syscall(SYS_unlinkat, folder, name, flags);
    int kind = S_ISDIR(about.st_mode) ? RMDIR : UNLINK;
    if (done == 0) note((struct record){.kind = kind, .file = about.st_ino}, path, NULL);
    return give(done);
}

EXPORT int unlink(const char *name) { return unlinkat(AT_FDCWD, name, 0); }
EXPORT int rmdir(const char *name) { return unlinkat(AT_FDCWD, name, AT_REMOVEDIR); }

EXPORT int mkdirat(int folder, const char *name, mode_t mode) {
    char path[PATH_MAX];
    if (!locate(folder, name, path)) return syscall(SYS_mkdirat, folder, name, mode);
    take();
    long done = syscall(SYS_mkdirat, folder, name, mode);
    if (done == 0) note((struct record){.kind = MKDIR}, path, NULL);
    return give(done);
}

EXPORT int mkdir(const char *name, mode_t mode) { return mkdirat(AT_FDCWD, name, mode); }

EXPORT int linkat(int from, const char *name, int to, const char *target, int flags) {
    char path[PATH_MAX];
    struct stat about;
    if (!locate(to, target, path)) return syscall(SYS_linkat, from, name, to, target, flags);
    take();
    long done = syscall(SYS_linkat, from, name, to, target, flags);
    if (done == 0 && find(path, &about)) {
        keep(path, about.st_ino, 0);
        note((struct record){.kind = LINK, .file = about.st_ino}, path, NULL);
    }
    return give(done);
}

EXPORT int link(const char *name, const char *target) {
    return linkat(AT_FDCWD, name, AT_FDCWD, target, 0);
}

EXPORT int renameat2(int from, const char *name, int to, const char *target, unsigned flags) {
    char path[PATH_MAX], aim[PATH_MAX];
    struct stat moves, was = {0};
    int from_ours = locate(from, name, path), to_ours = locate(to, target, aim);
    if (!from_ours && !to_ours) return syscall(SYS_renameat2, from, name, to, target, flags);
    if (!from_ours || !to_ours || flags) die("a rename over the folder's edge, or with flags");
    take();
    if (!find(path, &moves)) return give(syscall(SYS_renameat2, from, name, to, target, 0));
    if (!S_ISREG(moves.st_mode)) die("the rename of a folder");
    keep(path, moves.st_ino, 0);
    if (find(aim, &was)) keep(aim, was.st_ino, 0);
    long done = syscall(SYS_renameat2, from, name, to, target, 0);
    if (done == 0 && was.st_ino != moves.st_ino)
        note((struct record){.kind = RENAME, .file = moves.st_ino, .replaced = was.st_ino},
             path, aim);
    return give(done);
}

EXPORT int renameat(int from, const char *name, int to, const char *target) {
    return renameat2(from, name, to, target, 0);
}

EXPORT int rename(const char *name, const char *target) {
    return renameat2(AT_FDCWD, name, AT_FDCWD, target, 0);
}
