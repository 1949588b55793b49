/* Faults below Python: a library that LD_PRELOAD puts between a program and the C library.

   BELOW_FOLDER is the folder whose files are concerned; no others are. BELOW_ORDERS is a file of
   one `struct orders`, which test and program share. BELOW_LOG, where it is set, gets every change
   that was made to the files, in order, and the number of every record that was shown to somebody.
   tests/support/processes/below.py is the other end. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

struct orders {
    int32_t stall_ms;    /* a sync takes so much longer; less, as soon as this is less */
    int32_t sync_errno;  /* a sync fails with this, 0: it does not */
    int32_t write_errno; /* a write fails with this, 0: it does not */
    int32_t stalled;     /* how many syncs have been stalled; counted when one begins */
    int32_t failed;      /* how many calls have been failed */
    int32_t die_at;      /* the process kills itself before its n-th change of a file, 0: never */
    int32_t steps;       /* counts changes of files and names, where `die_at` is not 0 */
    int32_t unused;
    int64_t clock_s;     /* the wall clock is off by so many seconds */
};

struct entry {
    uint32_t size, op, path_size, data_size;
    uint64_t inode;
    int64_t at;
};

enum { PATH = 4096 };

static struct orders none, *orders = &none;
static char folder[PATH];
static int log_file = -1;
static pthread_mutex_t in_order = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name)                                                                                \
    static __typeof__(name) *real;                                                                \
    if (!real) *(void **)&real = dlsym(RTLD_NEXT, #name)

__attribute__((constructor)) static void begin(void) {
    const char *shared = getenv("BELOW_ORDERS"), *where = getenv("BELOW_FOLDER");
    const char *log = getenv("BELOW_LOG");
    if (!shared || !where || strlen(where) >= PATH) return;
    int file = openat(AT_FDCWD, shared, O_RDWR | O_CLOEXEC);
    void *mapped = file < 0 ? MAP_FAILED
                            : mmap(NULL, sizeof none, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (mapped == MAP_FAILED) {
        fprintf(stderr, "below: %s cannot be used\n", shared);
        abort();
    }
    close(file);
    strcpy(folder, where);
    if (log) log_file = openat(AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    orders = mapped;
}

/* Whether a path is the folder, or in it. */
static int concerned(const char *path) {
    size_t size = strlen(folder);
    return size && !strncmp(path, folder, size) && (path[size] == '/' || !path[size]);
}

/* Whether a descriptor is of the folder, and what it is called. */
static int ours(int file, char *path) {
    char link[64];
    int before = errno;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t size = orders == &none ? -1 : readlink(link, path, PATH - 1);
    errno = before;
    if (size < 0) return 0;
    path[size] = 0;
    return concerned(path);
}

static int fails(int number) {
    if (!number) return 0;
    __atomic_add_fetch(&orders->failed, 1, __ATOMIC_SEQ_CST);
    errno = number;
    return 1;
}

/* Before each change of a file or of a name. */
static void step(void) {
    if (orders->die_at && __atomic_add_fetch(&orders->steps, 1, __ATOMIC_SEQ_CST) == orders->die_at)
        raise(SIGKILL);
}

static uint64_t inode_of(int file) {
    struct stat found;
    return fstat(file, &found) ? 0 : found.st_ino;
}

/* Called with `in_order` held, right after what it tells. */
static void tell(char op, uint64_t inode, int64_t at, const char *path, const void *data,
                 size_t size) {
    if (log_file < 0) return;
    int before = errno;
    struct entry head = {.op = (uint32_t)op, .path_size = (uint32_t)strlen(path),
                         .data_size = (uint32_t)size, .inode = inode, .at = at};
    head.size = (uint32_t)sizeof head + head.path_size + head.data_size;
    struct iovec parts[] = {{&head, sizeof head}, {(void *)path, head.path_size},
                            {(void *)data, size}};
    if (writev(log_file, parts, 3) != (ssize_t)head.size) abort();
    errno = before;
}

#define IN_ORDER(result, call, op, inode, at, path, data, size)                                   \
    pthread_mutex_lock(&in_order);                                                                \
    result = (call);                                                                              \
    if (result >= 0) tell(op, inode, at, path, data, size);                                       \
    pthread_mutex_unlock(&in_order)

/* Opening: a name may come to be. */

static int opened(int (*real)(const char *, int, ...), const char *path, int flags, mode_t mode) {
    if (!concerned(path)) return real(path, flags, mode);
    if ((flags & O_ACCMODE) != O_RDONLY && orders->write_errno == EROFS && fails(EROFS)) return -1;
    if (!(flags & O_CREAT)) return real(path, flags, mode);
    step();
    pthread_mutex_lock(&in_order);
    int file = real(path, flags, mode);
    if (file >= 0) tell('O', inode_of(file), flags & O_TRUNC ? 0 : -1, path, "", 0);
    pthread_mutex_unlock(&in_order);
    return file;
}

#define OPEN(name)                                                                                \
    int name(const char *path, int flags, ...) {                                                  \
        REAL(name);                                                                               \
        mode_t mode = 0;                                                                          \
        if (flags & (O_CREAT | O_TMPFILE)) {                                                      \
            va_list more;                                                                         \
            va_start(more, flags);                                                                \
            mode = va_arg(more, mode_t);                                                          \
            va_end(more);                                                                         \
        }                                                                                         \
        return opened(real, path, flags, mode);                                                   \
    }
OPEN(open)
OPEN(open64)

/* Writing. */

ssize_t write(int file, const void *data, size_t size) {
    REAL(write);
    char path[PATH];
    if (!ours(file, path)) return real(file, data, size);
    if (fails(orders->write_errno)) return -1;
    step();
    ssize_t done;
    int64_t at = lseek(file, 0, SEEK_CUR);
    IN_ORDER(done, real(file, data, size), 'W', inode_of(file), at, path, data, (size_t)done);
    return done;
}

#define PWRITE(name, offset)                                                                      \
    ssize_t name(int file, const void *data, size_t size, offset at) {                            \
        REAL(name);                                                                               \
        char path[PATH];                                                                          \
        if (!ours(file, path)) return real(file, data, size, at);                                 \
        if (fails(orders->write_errno)) return -1;                                                \
        step();                                                                                   \
        ssize_t done;                                                                             \
        IN_ORDER(done, real(file, data, size, at), 'W', inode_of(file), at, path, data,           \
                 (size_t)done);                                                                   \
        return done;                                                                              \
    }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

#define TRUNCATE(name, offset)                                                                    \
    int name(int file, offset to) {                                                               \
        REAL(name);                                                                               \
        char path[PATH];                                                                          \
        if (!ours(file, path)) return real(file, to);                                             \
        if (fails(orders->write_errno)) return -1;                                                \
        step();                                                                                   \
        int done;                                                                                 \
        IN_ORDER(done, real(file, to), 'T', inode_of(file), to, path, "", 0);                     \
        return done;                                                                              \
    }
TRUNCATE(ftruncate, off_t)
TRUNCATE(ftruncate64, off64_t)

#define ALLOCATE(name, offset)                                                                    \
    int name(int file, offset from, offset size) {                                                \
        REAL(name);                                                                               \
        char path[PATH];                                                                          \
        if (!ours(file, path)) return real(file, from, size);                                     \
        if (fails(orders->write_errno)) return orders->write_errno;                               \
        step();                                                                                   \
        pthread_mutex_lock(&in_order);                                                            \
        int wrong = real(file, from, size);                                                       \
        if (!wrong) tell('A', inode_of(file), from + size, path, "", 0);                          \
        pthread_mutex_unlock(&in_order);                                                          \
        return wrong;                                                                             \
    }
ALLOCATE(posix_fallocate, off_t)
ALLOCATE(posix_fallocate64, off64_t)

/* Syncing: of a file, or of the folder with its names. */

static int synced(int (*real)(int), int file) {
    char path[PATH];
    if (!ours(file, path)) return real(file);
    if (orders->stall_ms > 0) {
        __atomic_add_fetch(&orders->stalled, 1, __ATOMIC_SEQ_CST);
        struct timespec tick = {0, 10 * 1000 * 1000};
        for (int past = 0; past < orders->stall_ms; past += 10) nanosleep(&tick, NULL);
    }
    if (fails(orders->sync_errno)) {
        pthread_mutex_lock(&in_order);
        tell('F', inode_of(file), 0, path, "", 0);
        pthread_mutex_unlock(&in_order);
        return -1;
    }
    step();
    int done;
    IN_ORDER(done, real(file), 'S', inode_of(file), 0, path, "", 0);
    return done;
}

int fsync(int file) {
    REAL(fsync);
    return synced(real, file);
}

int fdatasync(int file) {
    REAL(fdatasync);
    return synced(real, file);
}

/* Names. */

int rename(const char *from, const char *to) {
    REAL(rename);
    if (!concerned(to)) return real(from, to);
    step();
    int done;
    IN_ORDER(done, real(from, to), 'R', 0, 0, from, to, strlen(to));
    return done;
}

int unlink(const char *path) {
    REAL(unlink);
    if (!concerned(path)) return real(path);
    step();
    int done;
    IN_ORDER(done, real(path), 'U', 0, 0, path, "", 0);
    return done;
}

int link(const char *from, const char *to) {
    REAL(link);
    if (concerned(to)) step();
    return real(from, to);
}

/* What was shown: pictures and answers say on which record they stand. */

ssize_t send(int to, const void *data, size_t size, int flags) {
    static const char says[] = "\"seq\":";
    REAL(send);
    const char *found = log_file < 0 ? NULL : memmem(data, size, says, sizeof says - 1);
    if (!found) return real(to, data, size, flags);
    char number[24] = "";
    const char *end = (const char *)data + size;
    for (size_t n = 0, at = sizeof says - 1; n < sizeof number - 1 && found + at < end; n++, at++) {
        if (found[at] != '-' && (found[at] < '0' || found[at] > '9')) break;
        number[n] = found[at];
    }
    /* Told before it is sent: nobody has seen it earlier than that. */
    pthread_mutex_lock(&in_order);
    tell('P', 0, atoll(number), "", "", 0);
    pthread_mutex_unlock(&in_order);
    return real(to, data, size, flags);
}

/* The wall clock. */

int clock_gettime(clockid_t which, struct timespec *now) {
    REAL(clock_gettime);
    int done = real(which, now);
    if (!done && (which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE))
        now->tv_sec += orders->clock_s;
    return done;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    REAL(gettimeofday);
    int done = real(now, zone);
    if (!done) now->tv_sec += orders->clock_s;
    return done;
}

time_t time(time_t *now) {
    REAL(time);
    time_t told = real(NULL) + orders->clock_s;
    if (now) *now = told;
    return told;
}
