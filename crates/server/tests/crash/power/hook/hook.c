/* Loaded before the C library (LD_PRELOAD). Records what a process does to the files in one folder
 * and what each sync of them covers, so that log.rs and the other modules can undo what a power
 * failure may lose.
 *
 *   POWER_ROOT     the folder, without links in its path
 *   POWER_LOG      a folder next to it, on the same file system, with:
 *                    log     records, one after another (struct record)
 *                    lock    held while a change is made and recorded
 *                    kept/   every file that was touched, by its inode number: a removed file
 *                            can come back, and no number is used twice
 *                    slow    as long as it is there, no sync ends
 *                    broken  as long as it is there, every sync fails
 *                    waits   appears when the sync of a write-ahead log waits
 *   POWER_FAIL_AT  the record before which the process kills itself; never if not set
 *   POWER_LIES     a folder in and below which a sync does nothing but reports success
 *
 * Bytes are saved before they are overwritten; a name is recorded after it has changed. Both happen
 * under a lock that all processes share, and so does the start of a sync: changes before it are
 * covered once the sync has returned, changes after it are not. If a process is killed between the
 * change of a name and its record, the change counts as durable, which it may be.
 *
 * The kernel is called directly, because the hook replaces the C library's functions. An operation
 * that the hook cannot follow ends the process: a test that misses a write would prove nothing. */
#include "hook.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/uio.h>

/* The hook's own descriptors start here, out of the way of the process's. */
#define OWN_FD_MIN 900

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
char root[PATH_MAX], lies[PATH_MAX], place[PATH_MAX], saved[PIECE];
static int log_fd = -1, lock_fd = -1;
static uint64_t records, fail_at;

void die(const char *what) {
    const char head[] = "power: cannot follow ";
    syscall(SYS_write, 2, head, sizeof head - 1);
    syscall(SYS_write, 2, what, strlen(what));
    syscall(SYS_write, 2, "\n", 1);
    abort();
}

static int own(const char *name) {
    char path[PATH_MAX];
    if (strlen(place) + strlen(name) + 2 > sizeof path) die("a path that is too long");
    strcat(strcat(strcpy(path, place), "/"), name);
    int fd = syscall(SYS_openat, AT_FDCWD, path, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
    int high = fcntl(fd, F_DUPFD_CLOEXEC, OWN_FD_MIN);
    if (fd < 0 || high < 0) die(path);
    syscall(SYS_close, fd);
    return high;
}

static void setting(const char *name, char *to) {
    const char *value = getenv(name);
    if (value && strlen(value) < PATH_MAX) strcpy(to, value);
}

__attribute__((constructor)) static void begin(void) {
    setting("POWER_ROOT", root);
    setting("POWER_LOG", place);
    setting("POWER_LIES", lies);
    const char *number = getenv("POWER_FAIL_AT");
    fail_at = number ? strtoull(number, NULL, 10) : UINT64_MAX;
    if (!*root || !*place) die("anything without POWER_ROOT and POWER_LOG");
    log_fd = own("log");
    lock_fd = own("lock");
}

void take(void) {
    int error = errno;
    pthread_mutex_lock(&mutex);
    while (flock(lock_fd, LOCK_EX) != 0)
        if (errno != EINTR) die("its lock");
    errno = error;
}

long give(long result) {
    int error = errno;
    flock(lock_fd, LOCK_UN);
    pthread_mutex_unlock(&mutex);
    errno = error;
    return result;
}

void note(struct record record, const char *path, const char *target) {
    int error = errno;
    if (records++ == fail_at) syscall(SYS_kill, getpid(), SIGKILL);
    record.path_bytes = path ? strlen(path) : 0;
    record.target_bytes = target ? strlen(target) : 0;
    struct iovec parts[] = {
        {&record, sizeof record},
        {(void *)path, record.path_bytes},
        {(void *)target, record.target_bytes},
        {saved, record.data_bytes},
    };
    size_t all = sizeof record + record.path_bytes + record.target_bytes + record.data_bytes;
    if (syscall(SYS_writev, log_fd, parts, 4) != (long)all) die("more than its log takes");
    errno = error;
}

int is_below(const char *path, const char *folder) {
    size_t length = strlen(folder);
    return length && !strncmp(path, folder, length) && (path[length] == '/' || !path[length]);
}

/* Appends a number to a text. `printf` might write and allocate memory. */
char *with_number(char *text, uint64_t number) {
    char digits[24];
    int at = sizeof digits - 1;
    digits[at] = 0;
    do digits[--at] = '0' + number % 10; while (number /= 10);
    return strcat(text, digits + at);
}

int path_of(int fd, char path[PATH_MAX]) {
    char link[64] = "/proc/self/fd/";
    ssize_t length = readlink(with_number(link, fd), path, PATH_MAX - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return 1;
}

int is_ours(int fd, struct stat *about) {
    char path[PATH_MAX];
    int error = errno;
    int ours = fd >= 0 && fstat(fd, about) == 0 && S_ISREG(about->st_mode) && path_of(fd, path) &&
               is_below(path, root);
    errno = error;
    return ours;
}

int locate(int folder, const char *name, char path[PATH_MAX]) {
    char above[PATH_MAX];
    int error = errno, ours = 0;
    size_t length = strlen(name);
    while (length > 1 && name[length - 1] == '/') length--;
    if (!length || length >= PATH_MAX) return 0;
    memcpy(above, name, length);
    above[length] = 0;
    char last[PATH_MAX], *slash = strrchr(above, '/');
    strcpy(last, slash ? slash + 1 : above);
    if (slash) slash[slash == above] = 0;
    int fd = syscall(SYS_openat, folder, slash ? above : ".", O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
    if (fd >= 0 && path_of(fd, path) && strlen(path) + strlen(last) + 2 < PATH_MAX) {
        strcat(strcat(path, "/"), last);
        ours = is_below(path, root);
    }
    if (fd >= 0) syscall(SYS_close, fd);
    errno = error;
    return ours;
}

int find(const char *path, struct stat *about) {
    int error = errno, found = fstatat(AT_FDCWD, path, about, AT_SYMLINK_NOFOLLOW) == 0;
    errno = error;
    return found;
}

void keep(const char *path, uint64_t file, int flags) {
    char name[PATH_MAX];
    int error = errno;
    if (strlen(place) + 32 > sizeof name) die("a path that is too long");
    with_number(strcat(strcpy(name, place), "/kept/"), file);
    /* A file without a name was kept when it lost its name. */
    long done = syscall(SYS_linkat, AT_FDCWD, path, AT_FDCWD, name, flags);
    if (done != 0 && errno != EEXIST && errno != ENOENT) die("a file that cannot be linked");
    errno = error;
}

void keep_open(int fd, uint64_t file) {
    char link[64] = "/proc/self/fd/";
    keep(with_number(link, fd), file, AT_SYMLINK_FOLLOW);
}
