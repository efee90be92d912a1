/* A host in C: loads the library of an FMU, runs it and unloads it, with nothing but the C library around.
 *
 *     host LIBRARY GUID RESOURCES run|reload|threads
 *     host LIBRARY GUID RESOURCES soak [STEPS SIZE]
 *
 * Silent unless something goes wrong; then one line on standard error and exit code 1. With a number of steps and their size in seconds, a
 * soak prints time per step and memory of every tenth.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef void *component;
typedef component instantiate_function(const char *, int, const char *, const char *, const void *, int, int);
typedef int setup_function(component, int, double, double, int, double);
typedef int plain_function(component);
typedef int step_function(component, double, double, int);
typedef int get_real_function(component, const unsigned *, size_t, double *);
typedef void free_function(component);

typedef struct {
    void *logger, *allocate, *release, *finished, *environment;
} callbacks;

typedef struct {
    void *handle;
    instantiate_function *instantiate;
    setup_function *setup;
    plain_function *enter, *leave, *terminate;
    step_function *step;
    get_real_function *get_real;
    free_function *release;
} library;

static const char *path, *guid, *resources;

static void fail(const char *what) {
    const char *why = dlerror();
    fprintf(stderr, "%s%s%s\n", what, why ? ": " : "", why ? why : "");
    exit(1);
}

static void *symbol(void *handle, const char *name) {
    void *address = dlsym(handle, name);
    if (!address) fail(name);
    return address;
}

static library load(void) {
    library it;
    it.handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!it.handle) fail("dlopen");
    it.instantiate = symbol(it.handle, "fmi2Instantiate");
    it.setup = symbol(it.handle, "fmi2SetupExperiment");
    it.enter = symbol(it.handle, "fmi2EnterInitializationMode");
    it.leave = symbol(it.handle, "fmi2ExitInitializationMode");
    it.step = symbol(it.handle, "fmi2DoStep");
    it.get_real = symbol(it.handle, "fmi2GetReal");
    it.terminate = symbol(it.handle, "fmi2Terminate");
    it.release = symbol(it.handle, "fmi2FreeInstance");
    return it;
}

static int is_loaded(void) {
    void *handle = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
    if (handle) dlclose(handle);
    return handle != NULL;
}

/* Runs an instance for ten steps; with a NULL logger and without memory callbacks. */
static void run(const library *it) {
    callbacks none = {0};
    component c = it->instantiate("c host", 1, guid, resources, &none, 0, 0);
    if (!c) fail("fmi2Instantiate");
    if (it->setup(c, 0, 0.0, 0.0, 0, 0.0) || it->enter(c) || it->leave(c)) fail("initialization");
    for (int k = 0; k < 10; k++)
        if (it->step(c, k * 0.01, 0.01, 1)) fail("fmi2DoStep");
    const unsigned time_reference = 0;
    double time = -1.0;
    if (it->get_real(c, &time_reference, 1, &time) || time < 0.0999 || time > 0.1001) fail("time is not 0.1 s");
    if (it->terminate(c)) fail("fmi2Terminate");
    it->release(c);
}

/* Resident memory of this process in kB. */
static long resident(void) {
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    long kilobytes = -1;
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "VmRSS: %ld", &kilobytes) == 1) break;
    if (file) fclose(file);
    return kilobytes;
}

static void load_run_unload(void) {
    library it = load();
    run(&it);
    if (dlclose(it.handle)) fail("dlclose");
}

static void reload(void) {
    long before = 0;
    for (int k = 0; k < 100; k++) {
        if (k == 20) before = resident();
        load_run_unload();
        if (is_loaded()) fail("the library is still loaded after dlclose");
    }
    if (resident() - before > 1024) fail("memory grows with every load");
}

static library shared;
static pthread_barrier_t used, unloaded;

/* Uses the library and outlives it. */
static void *user(void *nothing) {
    run(&shared);
    pthread_barrier_wait(&used);
    pthread_barrier_wait(&unloaded);
    return nothing;
}

static void threads(void) {
    enum { COUNT = 8 };
    pthread_t thread[COUNT];
    shared = load();
    pthread_barrier_init(&used, NULL, COUNT + 1);
    pthread_barrier_init(&unloaded, NULL, COUNT + 1);
    for (int k = 0; k < COUNT; k++) pthread_create(&thread[k], NULL, user, NULL);
    pthread_barrier_wait(&used);
    if (dlclose(shared.handle)) fail("dlclose");
    pthread_barrier_wait(&unloaded);
    for (int k = 0; k < COUNT; k++) pthread_join(thread[k], NULL);
    load_run_unload();
    if (is_loaded()) fail("the library stays loaded after its users have ended");
}

/* Time that this process has computed [s]. */
static double now(void) {
    struct timespec at;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
    return at.tv_sec + 1e-9 * at.tv_nsec;
}

/* Many communication steps, in tenths; memory must not grow after the second one. */
static void soak(long steps, double size, int talks) {
    library it = load();
    callbacks none = {0};
    component c = it.instantiate("c host", 1, guid, resources, &none, 0, 0);
    if (!c) fail("fmi2Instantiate");
    if (it.setup(c, 0, 0.0, 0.0, 0, 0.0) || it.enter(c) || it.leave(c)) fail("initialization");
    long memory = 0;
    for (int tenth = 0; tenth < 10; tenth++) {
        double begin = now();
        for (long k = tenth * steps / 10; k < (tenth + 1) * steps / 10; k++)
            if (it.step(c, k * size, size, 1)) fail("fmi2DoStep");
        if (tenth == 1) memory = resident();
        if (talks) printf("%8.3f s  %7.3f us per step  %ld kB\n", (tenth + 1) * steps / 10 * size, 1e7 * (now() - begin) / steps, resident());
    }
    if (resident() - memory > 512) fail("memory grows with the steps");
    it.release(c);
    dlclose(it.handle);
}

int main(int argc, char **argv) {
    if (argc == 7 && !strcmp(argv[4], "soak")) {
        path = argv[1], guid = argv[2], resources = argv[3];
        soak(atol(argv[5]), atof(argv[6]), 1);
        return 0;
    }
    if (argc != 5) fail("usage: host LIBRARY GUID RESOURCES run|reload|threads|soak [STEPS SIZE]");
    path = argv[1], guid = argv[2], resources = argv[3];
    if (!strcmp(argv[4], "run")) load_run_unload();
    else if (!strcmp(argv[4], "reload")) reload();
    else if (!strcmp(argv[4], "threads")) threads();
    else if (!strcmp(argv[4], "soak")) soak(200000, 1e-3, 0);
    else fail("unknown mode");
    return 0;
}
