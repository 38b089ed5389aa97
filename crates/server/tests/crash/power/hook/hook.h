/* Shared by the parts of the hook, which hook.c explains. */
#ifndef HOOK_H
#define HOOK_H
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define ALIAS(name) __attribute__((visibility("default"), alias(name)))
/* The most bytes that one record saves. */
#define PIECE (1 << 20)

enum kind { WRITE = 1, RESIZE, MAP, CREATE, LINK, UNLINK, RENAME, MKDIR, RMDIR, SYNC, SYNCED };

/* A record as log.rs reads it; two paths and the old bytes follow. */
struct record {
    uint64_t kind;
    uint64_t file;     /* inode; for RENAME, the file that moves */
    uint64_t replaced; /* RENAME: the inode that loses its name to it, or 0 */
    uint64_t offset;   /* WRITE: where; RESIZE: the new size */
    uint64_t length;   /* WRITE: how much */
    uint64_t size;     /* WRITE, RESIZE: the size before */
    uint64_t sync;     /* SYNC, SYNCED: which */
    uint64_t path_bytes, target_bytes, data_bytes;
};

/* The folder that is followed, the folder whose syncs do nothing, and the folder of the records. */
extern char root[PATH_MAX], lies[PATH_MAX], place[PATH_MAX];
/* The bytes that the next record saves. */
extern char saved[PIECE];

/* Ends the process. */
void die(const char *what);
/* One change at a time across all threads and processes. `give` returns its argument. */
void take(void);
long give(long result);
void note(struct record record, const char *path, const char *target);

int is_below(const char *path, const char *folder);
char *with_number(char *text, uint64_t number);
int path_of(int fd, char path[PATH_MAX]);
/* Whether the descriptor is a regular file below the folder. */
int is_ours(int fd, struct stat *about);
/* The full path of this name, if it is below the folder. If the name itself is a link, the link is
 * not followed. */
int locate(int folder, const char *name, char path[PATH_MAX]);
int find(const char *path, struct stat *about);
/* Gives a file a second name, which keeps it. */
void keep(const char *path, uint64_t file, int flags);
void keep_open(int fd, uint64_t file);
/* Saves and records what a new length cuts off. */
void note_resize(int fd, const struct stat *about, uint64_t length);

#endif
