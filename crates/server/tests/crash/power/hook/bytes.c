/* Functions that change the bytes of a file. */
#include "hook.h"

#include <sys/mman.h>
#include <sys/uio.h>

/* Reads the current content, through another descriptor if this one may only write. SQLite's own
 * descriptors can read: that matters because its locks end when any descriptor of the file closes. */
static size_t save(int fd, uint64_t from, uint64_t end) {
    size_t length = 0, wanted = end > from ? end - from : 0;
    char link[64] = "/proc/self/fd/";
    int reader = fd;
    if (wanted && (fcntl(fd, F_GETFL) & O_ACCMODE) == O_WRONLY)
        reader = syscall(SYS_openat, AT_FDCWD, with_number(link, fd), O_RDONLY | O_CLOEXEC, 0);
    while (length < wanted) {
        long more = syscall(SYS_pread64, reader, saved + length, wanted - length, from + length);
        if (more <= 0) die("what it cannot read");
        length += more;
    }
    if (reader != fd) syscall(SYS_close, reader);
    return length;
}

static uint64_t least(uint64_t one, uint64_t other) { return one < other ? one : other; }

static void note_write(int fd, const struct stat *about, uint64_t offset, uint64_t length) {
    uint64_t size = about->st_size, end = offset + length;
    keep_open(fd, about->st_ino);
    for (uint64_t at = offset; at < end; at += PIECE) {
        uint64_t to = least(end, at + PIECE);
        size_t bytes = save(fd, at, least(to, size));
        note((struct record){.kind = WRITE, .file = about->st_ino, .offset = at, .length = to - at,
                             .size = size, .data_bytes = bytes}, NULL, NULL);
        if (size < to) size = to;
    }
}

void note_resize(int fd, const struct stat *about, uint64_t length) {
    uint64_t size = about->st_size;
    keep_open(fd, about->st_ino);
    while (size != length) {
        uint64_t to = size > length + PIECE ? size - PIECE : length;
        size_t bytes = save(fd, to, size);
        note((struct record){.kind = RESIZE, .file = about->st_ino, .offset = to, .size = size,
                             .data_bytes = bytes}, NULL, NULL);
        size = to;
    }
}

static uint64_t position(int fd, const struct stat *about) {
    if (fcntl(fd, F_GETFL) & O_APPEND) return about->st_size;
    return syscall(SYS_lseek, fd, 0, SEEK_CUR);
}

EXPORT ssize_t write(int fd, const void *bytes, size_t length) {
    struct stat about;
    if (!is_ours(fd, &about)) return syscall(SYS_write, fd, bytes, length);
    take();
    fstat(fd, &about);
    note_write(fd, &about, position(fd, &about), length);
    return give(syscall(SYS_write, fd, bytes, length));
}

EXPORT ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) {
    struct stat about;
    if (!is_ours(fd, &about)) return syscall(SYS_pwrite64, fd, bytes, length, offset);
    take();
    fstat(fd, &about);
    note_write(fd, &about, offset, length);
    return give(syscall(SYS_pwrite64, fd, bytes, length, offset));
}
ALIAS("pwrite") ssize_t pwrite64(int fd, const void *bytes, size_t length, off_t offset);

EXPORT ssize_t writev(int fd, const struct iovec *parts, int count) {
    struct stat about;
    size_t length = 0;
    if (!is_ours(fd, &about)) return syscall(SYS_writev, fd, parts, count);
    for (int at = 0; at < count; at++) length += parts[at].iov_len;
    take();
    fstat(fd, &about);
    note_write(fd, &about, position(fd, &about), length);
    return give(syscall(SYS_writev, fd, parts, count));
}

EXPORT int ftruncate(int fd, off_t length) {
    struct stat about;
    if (!is_ours(fd, &about)) return syscall(SYS_ftruncate, fd, length);
    take();
    fstat(fd, &about);
    note_resize(fd, &about, length);
    return give(syscall(SYS_ftruncate, fd, length));
}
ALIAS("ftruncate") int ftruncate64(int fd, off_t length);

EXPORT void *mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset) {
    struct stat about;
    if ((flags & MAP_SHARED) && (protection & PROT_WRITE) && is_ours(fd, &about)) {
        take();
        keep_open(fd, about.st_ino);
        note((struct record){.kind = MAP, .file = about.st_ino}, NULL, NULL);
        give(0);
    }
    return (void *)syscall(SYS_mmap, address, length, protection, flags, fd, offset);
}
ALIAS("mmap")
void *mmap64(void *address, size_t length, int protection, int flags, int fd, off_t offset);

/* Callers of these functions fall back to others if they fail. */

EXPORT ssize_t copy_file_range(int from, off_t *at, int to, off_t *to_at, size_t length,
                               unsigned flags) {
    struct stat about;
    if (is_ours(to, &about)) return errno = EXDEV, -1;
    return syscall(SYS_copy_file_range, from, at, to, to_at, length, flags);
}

EXPORT ssize_t sendfile(int to, int from, off_t *at, size_t length) {
    struct stat about;
    if (is_ours(to, &about)) return errno = EINVAL, -1;
    return syscall(SYS_sendfile, to, from, at, length);
}
ALIAS("sendfile") ssize_t sendfile64(int to, int from, off_t *at, size_t length);

EXPORT ssize_t splice(int from, off_t *at, int to, off_t *to_at, size_t length, unsigned flags) {
    struct stat about;
    if (is_ours(to, &about)) return errno = EINVAL, -1;
    return syscall(SYS_splice, from, at, to, to_at, length, flags);
}

/* Functions that no process here uses. */

EXPORT ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) {
    struct stat about;
    if (is_ours(fd, &about)) die("pwritev");
    return syscall(SYS_pwritev, fd, parts, count, offset, 0);
}
ALIAS("pwritev") ssize_t pwritev64(int fd, const struct iovec *parts, int count, off_t offset);

EXPORT int fallocate(int fd, int mode, off_t offset, off_t length) {
    struct stat about;
    if (is_ours(fd, &about)) die("fallocate");
    return syscall(SYS_fallocate, fd, mode, offset, length);
}
ALIAS("fallocate") int fallocate64(int fd, int mode, off_t offset, off_t length);

EXPORT int posix_fallocate(int fd, off_t offset, off_t length) {
    return fallocate(fd, 0, offset, length) == 0 ? 0 : errno;
}
ALIAS("posix_fallocate") int posix_fallocate64(int fd, off_t offset, off_t length);

EXPORT int truncate(const char *name, off_t length) {
    char path[PATH_MAX];
    if (locate(AT_FDCWD, name, path)) die("truncate");
    return syscall(SYS_truncate, name, length);
}
ALIAS("truncate") int truncate64(const char *name, off_t length);

EXPORT int symlinkat(const char *to, int folder, const char *name) {
    char path[PATH_MAX];
    if (locate(folder, name, path)) die("symlink");
    return syscall(SYS_symlinkat, to, folder, name);
}

EXPORT int symlink(const char *to, const char *name) { return symlinkat(to, AT_FDCWD, name); }
