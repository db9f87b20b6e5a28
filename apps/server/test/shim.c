/* What a test does to a whole program: moves its clock (SHIM_FILE, first number, seconds) and slows its disk (second, ms). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static volatile int64_t none[2];
static volatile int64_t *told(void) {
  static volatile int64_t *kept;
  if (!kept) {
    const char *name = getenv("SHIM_FILE");
    int file = name ? open(name, O_RDONLY) : -1;
    void *page = file < 0 ? MAP_FAILED : mmap(0, 16, PROT_READ, MAP_SHARED, file, 0);
    if (file >= 0) close(file);
    kept = page == MAP_FAILED ? none : page;
  }
  return kept;
}

int clock_gettime(clockid_t which, struct timespec *at) {
  static int (*real)(clockid_t, struct timespec *);
  if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
  int done = real(which, at);
  if (which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE) at->tv_sec += told()[0];
  return done;
}
int gettimeofday(struct timeval *restrict at, void *restrict zone) {
  static int (*real)(struct timeval *, void *);
  if (!real) real = dlsym(RTLD_NEXT, "gettimeofday");
  int done = real(at, zone);
  at->tv_sec += told()[0];
  return done;
}
time_t time(time_t *at) {
  static time_t (*real)(time_t *);
  if (!real) real = dlsym(RTLD_NEXT, "time");
  time_t now = real(0) + told()[0];
  if (at) *at = now;
  return now;
}

static void wait_for_disk(void) {
  if (told()[1] > 0) usleep(told()[1] * 1000);
}
int fsync(int file) {
  static int (*real)(int);
  if (!real) real = dlsym(RTLD_NEXT, "fsync");
  wait_for_disk();
  return real(file);
}
int fdatasync(int file) {
  static int (*real)(int);
  if (!real) real = dlsym(RTLD_NEXT, "fdatasync");
  wait_for_disk();
  return real(file);
}

/* PostgreSQL is started with an environment of its own: it is on the same machine all the same. */
static char preload[4096], file[4096];
__attribute__((constructor)) static void remember(void) {
  const char *own = getenv("LD_PRELOAD"), *named = getenv("SHIM_FILE");
  if (own && named) {
    strncpy(preload, own, sizeof preload - 1);
    strncpy(file, named, sizeof file - 1);
  }
}
int execvp(const char *program, char *const args[]) {
  static int (*real)(const char *, char *const[]);
  if (!real) real = dlsym(RTLD_NEXT, "execvp");
  if (*preload) {
    setenv("LD_PRELOAD", preload, 1);
    setenv("SHIM_FILE", file, 1);
  }
  return real(program, args);
}
