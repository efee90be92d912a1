/* A host in C that calls every function of an FMU's library, rightly and wrongly, for tools that watch memory and threads.
 *
 *     sanitize LIBRARY GUID RESOURCES calls|crowd|threads|reload|wrong
 *
 * calls    one instance after the other
 * crowd    many instances alive at once, stepped in turn
 * threads  instances in many threads, loaded once
 * reload   loaded and unloaded again and again
 * wrong    calls nothing, but loses memory and reads beyond its end, so that a tool can show that it is awake
 *
 * Silent unless something goes wrong; then one line on standard error and exit code 1.
 */
#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../fmi2.h"

enum { MOST_VALUES = 4096, LONGEST_STATE = 1 << 22, THREADS = 6, CROWD = 24 };

typedef struct {
    void *handle;
#define FIELD(result, name, arguments) result(*name) arguments;
    FUNCTIONS(FIELD)
} library;

static const char *path, *guid, *resources;

static void fail(const char *what) {
    fprintf(stderr, "%s\n", what);
    exit(1);
}

static void expect(int holds, const char *what) {
    if (!holds) fail(what);
}

static library load(void) {
    library it;
    it.handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    expect(it.handle != NULL, "the library cannot be loaded");
#define LOAD(result, name, arguments) \
    *(void **)&it.name = dlsym(it.handle, "fmi2" #name); \
    expect(it.name != NULL, "fmi2" #name " is missing");
    FUNCTIONS(LOAD)
    return it;
}

/* Reads every byte of a message. */
static void listen(void *count, const char *name, int status, const char *category, const char *format, ...) {
    size_t length = strlen(name) + strlen(category) + strlen(format);
    if (length > 0 && status >= OK) ++*(long *)count;
}

/* What an instance needs beside the library. */
typedef struct {
    const library *api;
    component c;
    callbacks functions;
    long messages;
    size_t num_reals;
    reference references[MOST_VALUES];
    double values[MOST_VALUES], results[MOST_VALUES];
    int orders[MOST_VALUES];
} instance;

static instance *make(const library *api, int with_logger) {
    instance *it = calloc(1, sizeof *it);
    expect(it != NULL, "out of memory");
    it->api = api;
    it->functions.environment = &it->messages;
    it->functions.logger = with_logger ? listen : NULL;
    it->c = api->Instantiate("watched", 1, guid, resources, &it->functions, 0, with_logger);
    expect(it->c != NULL, "fmi2Instantiate");
    return it;
}

static void unmake(instance *it) {
    it->api->FreeInstance(it->c);
    free(it);
}

static void initialize(instance *it) {
    const library *api = it->api;
    expect(api->SetupExperiment(it->c, 1, 1e-5, 0.0, 0, 0.0) == OK, "fmi2SetupExperiment");
    expect(api->EnterInitializationMode(it->c) == OK, "fmi2EnterInitializationMode");
    expect(api->ExitInitializationMode(it->c) == OK, "fmi2ExitInitializationMode");
    reference k = 0;
    while (k < MOST_VALUES && api->GetReal(it->c, &k, 1, it->values) == OK) it->references[k] = k, it->orders[k] = 1, k++;
    it->num_reals = k;
    expect(k > 0 && k < MOST_VALUES, "the number of Reals is strange");
}

static void step(instance *it, int k) {
    expect(it->api->DoStep(it->c, k * 0.01, 0.01, k % 2) == OK, "fmi2DoStep");
    expect(it->api->GetReal(it->c, it->references, it->num_reals, it->results) == OK, "fmi2GetReal");
    expect(fabs(it->results[0] - (k + 1) * 0.01) < 1e-12, "the time is wrong");
}

/* Sets every Real that lets itself be set, to what it is and to what it must not be. */
static void set_values(instance *it) {
    const library *api = it->api;
    api->GetReal(it->c, it->references, it->num_reals, it->values);
    for (size_t k = 0; k < it->num_reals; k++) {
        const double wrong[] = {NAN, INFINITY, -INFINITY};
        for (int w = 0; w < 3; w++) expect(api->SetReal(it->c, &it->references[k], 1, &wrong[w]) == ERROR, "NaN is accepted");
        if (api->SetReal(it->c, &it->references[k], 1, &it->values[k]) == OK) {
            const int order = 1;
            const double slope = 0.5;
            api->SetRealInputDerivatives(it->c, &it->references[k], 1, &order, &slope);
        }
    }
}

static void set_others(instance *it) {
    const library *api = it->api;
    for (reference k = 0; k < 2 * MOST_VALUES; k += k < MOST_VALUES ? 1 : 97) {
        int number = 0;
        if (api->GetInteger(it->c, &k, 1, &number) == OK) api->SetInteger(it->c, &k, 1, &number);
        if (api->GetBoolean(it->c, &k, 1, &number) == OK) api->SetBoolean(it->c, &k, 1, &number);
        const char *text = "text";
        if (api->GetString(it->c, &k, 1, &text) == OK) api->SetString(it->c, &k, 1, &text);
        if (k > it->num_reals + 64) break;
    }
}

static void differentiate(instance *it) {
    const library *api = it->api;
    const double seed = 1.0;
    api->GetRealOutputDerivatives(it->c, it->references, it->num_reals, it->orders, it->results);
    for (size_t k = 0; k < it->num_reals && k < 64; k++) {
        api->GetRealOutputDerivatives(it->c, &it->references[k], 1, it->orders, it->results);
        api->GetDirectionalDerivative(it->c, it->references, it->num_reals, &it->references[k], 1, &seed, it->results);
    }
}

/* Saves, goes on, comes back by way of bytes; damaged bytes are refused. */
static void travel(instance *it) {
    const library *api = it->api;
    state saved = NULL, copy = NULL;
    size_t size = 0;
    expect(api->GetFMUstate(it->c, &saved) == OK, "fmi2GetFMUstate");
    expect(api->GetFMUstate(it->c, &saved) == OK, "fmi2GetFMUstate into a used one");
    expect(api->SerializedFMUstateSize(it->c, saved, &size) == OK && size < LONGEST_STATE, "fmi2SerializedFMUstateSize");
    char *bytes = malloc(size);
    expect(api->SerializeFMUstate(it->c, saved, bytes, size - 1) == ERROR, "a short buffer is accepted");
    expect(api->SerializeFMUstate(it->c, saved, bytes, size) == OK, "fmi2SerializeFMUstate");
    for (size_t cut = 0; cut < size; cut += size / 7 + 1)
        expect(api->DeSerializeFMUstate(it->c, bytes, cut, &copy) == ERROR, "a cut state is accepted");
    for (size_t at = 0; at < size; at += size / 17 + 1) {
        bytes[at] ^= 4;
        expect(api->DeSerializeFMUstate(it->c, bytes, size, &copy) == ERROR, "a flipped state is accepted");
        bytes[at] ^= 4;
    }
    expect(api->DeSerializeFMUstate(it->c, bytes, size, &copy) == OK, "fmi2DeSerializeFMUstate");
    expect(api->SetFMUstate(it->c, copy) == OK && api->SetFMUstate(it->c, saved) == OK, "fmi2SetFMUstate");
    expect(api->FreeFMUstate(it->c, &copy) == OK && copy == NULL, "fmi2FreeFMUstate");
    expect(api->SetFMUstate(it->c, (state)&copy) == ERROR, "an invented state is accepted");
    /* `saved` is left to fmi2FreeInstance. */
    free(bytes);
}

static void ask_status(instance *it) {
    const library *api = it->api;
    for (int kind = -1; kind < 5; kind++) {
        int number = 0;
        double real = 0.0;
        const char *text = "";
        api->GetStatus(it->c, kind, &number);
        api->GetRealStatus(it->c, kind, &real);
        api->GetIntegerStatus(it->c, kind, &number);
        api->GetBooleanStatus(it->c, kind, &number);
        if (api->GetStringStatus(it->c, kind, &text) == OK) expect(strlen(text) > 0, "an empty status");
    }
    expect(api->CancelStep(it->c) == ERROR, "fmi2CancelStep");
}

/* Calls that must be refused, and must not read or write through bad pointers. */
static void misuse(instance *it) {
    const library *api = it->api;
    const char *categories[] = {"logEvents", "logStepStatistics"}, *unknown = "logNothing";
    const reference far = ~0u;
    double value = 1.0;
    expect(api->SetDebugLogging(it->c, 1, 2, categories) == OK, "fmi2SetDebugLogging");
    expect(api->SetDebugLogging(it->c, 1, 1, &unknown) == ERROR, "an unknown log category");
    expect(api->GetReal(it->c, &far, 1, &value) == ERROR, "an unknown reference");
    expect(api->GetReal(it->c, NULL, 1, &value) == ERROR, "no references");
    expect(api->SetReal(it->c, &far, (size_t)-1, &value) == ERROR, "an endless array");
    expect(api->SetupExperiment(it->c, 0, 0.0, 0.0, 0, 0.0) == ERROR, "fmi2SetupExperiment too late");
    expect(api->DoStep(it->c, -7.0, 0.01, 0) == ERROR, "a step out of order");
    expect(api->DoStep(it->c, 0.0, NAN, 0) == ERROR, "a step without size");
    expect(api->GetReal((component)&value, &far, 1, &value) == ERROR, "an invented component");
    expect(api->GetReal(NULL, &far, 1, &value) == ERROR, "no component");
    expect(api->Instantiate("", 1, guid, resources, &it->functions, 0, 0) == NULL, "no name");
    expect(api->Instantiate("other", 1, "{other}", resources, &it->functions, 0, 0) == NULL, "another GUID");
}

/* A whole life with every function in it. */
static void live(const library *api, int with_logger) {
    expect(!strcmp(api->GetVersion(), "2.0") && !strcmp(api->GetTypesPlatform(), "default"), "version");
    instance *it = make(api, with_logger);
    for (int round = 0; round < 2; round++) {
        initialize(it);
        misuse(it);
        set_values(it);
        set_others(it);
        for (int k = 0; k < 6; k++) step(it, k);
        travel(it);
        for (int k = 6; k < 10; k++) step(it, k);
        differentiate(it);
        ask_status(it);
        if (round == 0) expect(api->Reset(it->c) == OK, "fmi2Reset");
    }
    expect(api->Terminate(it->c) == OK && api->DoStep(it->c, 0.1, 0.1, 0) == ERROR, "fmi2Terminate");
    expect(!with_logger || it->messages > 0, "no messages");
    unmake(it);
}

static void crowd(const library *api) {
    instance *all[CROWD];
    for (int k = 0; k < CROWD; k++) initialize(all[k] = make(api, k % 2));
    for (int time = 0; time < 4; time++)
        for (int k = 0; k < CROWD; k++) step(all[k], time);
    for (int k = 1; k < CROWD; k++)
        expect(!memcmp(all[k]->results, all[0]->results, all[0]->num_reals * sizeof(double)), "instances differ");
    for (int k = 0; k < CROWD; k++) unmake(all[(7 * k) % CROWD]);
}

static library shared;
static pthread_barrier_t used, unloaded;

/* Lives, and outlives the library. */
static void *user(void *nothing) {
    live(&shared, nothing != NULL);
    pthread_barrier_wait(&used);
    pthread_barrier_wait(&unloaded);
    return NULL;
}

static void threads(void) {
    pthread_t thread[THREADS];
    shared = load();
    pthread_barrier_init(&used, NULL, THREADS + 1);
    pthread_barrier_init(&unloaded, NULL, THREADS + 1);
    for (size_t k = 0; k < THREADS; k++) pthread_create(&thread[k], NULL, user, k % 2 ? &shared : NULL);
    pthread_barrier_wait(&used);
    dlclose(shared.handle);
    pthread_barrier_wait(&unloaded);
    for (int k = 0; k < THREADS; k++) pthread_join(thread[k], NULL);
    pthread_barrier_destroy(&used);
    pthread_barrier_destroy(&unloaded);
}

static void reload(void) {
    for (int round = 0; round < 5; round++) {
        library it = load();
        instance *one = make(&it, 0);
        initialize(one);
        step(one, 0);
        unmake(one);
        dlclose(it.handle);
    }
}

static int wrong(void) {
    volatile char *lost = malloc(8);
    lost[0] = 1;
    return lost[0] + lost[8] == 1000;
}

int main(int argc, char **argv) {
    expect(argc == 5, "usage: sanitize LIBRARY GUID RESOURCES calls|crowd|threads|reload|wrong");
    path = argv[1], guid = argv[2], resources = argv[3];
    if (!strcmp(argv[4], "threads")) return threads(), 0;
    if (!strcmp(argv[4], "reload")) return reload(), 0;
    if (!strcmp(argv[4], "wrong")) return wrong();
    library it = load();
    if (!strcmp(argv[4], "calls")) live(&it, 0), live(&it, 1);
    else if (!strcmp(argv[4], "crowd")) crowd(&it);
    else fail("unknown mode");
    return dlclose(it.handle);
}
