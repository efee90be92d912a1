/* A host in C for every platform: loads the library of an FMU, runs it, writes what it computes.
 *
 *     host LIBRARY GUID RESOURCES run VARIABLES START STEP COUNT SPLIT STATE ROWS
 *     host LIBRARY GUID RESOURCES resume VARIABLES START STEP COUNT SPLIT STATE ROWS
 *     host LIBRARY GUID RESOURCES wrong
 *     host LIBRARY GUID RESOURCES panic
 *     host LIBRARY GUID RESOURCES find LOCATION...
 *
 * run      a whole life: COUNT steps, the state after SPLIT of them serialised into STATE, the rest once more from there, once
 *          more by way of the bytes, and the whole once more after fmi2Reset; ROWS gets all values after every step
 * resume   a new instance goes on from STATE
 * wrong    calls that must be refused
 * panic    a library that panics on request
 * find     the resources are found from every location, `-` meaning none
 *
 * VARIABLES is a file of lines such as `r 17`: kind (real, integer, boolean) and reference. Arguments are UTF-8. Silent
 * unless something goes wrong; then one line on standard error and exit code 1.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../portable.h"
#include "../fmi2.h"

static struct {
#define FIELD(result, name, arguments) result(*name) arguments;
    FUNCTIONS(FIELD)
} fmi2;

static const char *guid, *resources;
static callbacks none;

static void fail(const char *what) {
    fprintf(stderr, "%s\n", what);
    exit(1);
}

static void expect(int holds, const char *what) {
    if (!holds) fail(what);
}

static void *load(const char *path) {
    void *library = open_library(path);
    expect(library != NULL, "the library cannot be loaded");
#define LOAD(result, name, arguments) \
    *(void **)&fmi2.name = find(library, "fmi2" #name); \
    expect(fmi2.name != NULL, "fmi2" #name " is missing");
    FUNCTIONS(LOAD)
    return library;
}

static component make(void) {
    component c = fmi2.Instantiate("one", 1, guid, resources, &none, 0, 0);
    expect(c != NULL, "fmi2Instantiate");
    return c;
}

static void initialize(component c, double start) {
    expect(fmi2.SetupExperiment(c, 0, 0.0, start, 0, 0.0) == OK, "fmi2SetupExperiment");
    expect(fmi2.EnterInitializationMode(c) == OK, "fmi2EnterInitializationMode");
    expect(fmi2.ExitInitializationMode(c) == OK, "fmi2ExitInitializationMode");
}

/* Variables of one type. */
typedef struct {
    reference *references;
    size_t count;
} list;

static list reals, integers, booleans;

static void add(list *to, reference it) {
    to->references = realloc(to->references, (to->count + 1) * sizeof it);
    to->references[to->count++] = it;
}

static void read_variables(const char *path) {
    FILE *file = fopen(path, "r");
    expect(file != NULL, "the list of variables cannot be read");
    char kind;
    reference it;
    while (fscanf(file, " %c %u", &kind, &it) == 2) add(kind == 'r' ? &reals : kind == 'i' ? &integers : &booleans, it);
    fclose(file);
}

/* A row holds all values as eight bytes each. */
static size_t width(void) { return reals.count + integers.count + booleans.count; }

static void read_row(component c, double *row) {
    int *numbers = calloc(width() + 1, sizeof *numbers);
    expect(fmi2.GetReal(c, reals.references, reals.count, row) == OK, "fmi2GetReal");
    expect(fmi2.GetInteger(c, integers.references, integers.count, numbers) == OK, "fmi2GetInteger");
    expect(fmi2.GetBoolean(c, booleans.references, booleans.count, numbers + integers.count) == OK, "fmi2GetBoolean");
    for (size_t k = 0; k < integers.count + booleans.count; k++) row[reals.count + k] = numbers[k];
    free(numbers);
}

static double start, step_size;
static long count, split;
static const char *state_path, *rows_path;

static void go(component c, long first, long last, double *rows) {
    for (long k = first; k < last; k++) {
        expect(fmi2.DoStep(c, start + (double)k * step_size, step_size, 1) == OK, "fmi2DoStep");
        read_row(c, rows + (size_t)k * width());
    }
}

static void write_file(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    expect(file && fwrite(bytes, 1, size, file) == size && !fclose(file), "a file cannot be written");
}

static void run(void) {
    size_t row = width(), size = 0;
    double *rows = calloc((size_t)count * row, sizeof *rows), *again = calloc((size_t)count * row, sizeof *rows);
    size_t before = (size_t)split * row, after = (size_t)(count - split) * row * sizeof *rows;
    state saved = NULL, copy = NULL;
    expect(!strcmp(fmi2.GetVersion(), "2.0") && !strcmp(fmi2.GetTypesPlatform(), "default"), "fmi2GetVersion");
    component c = make();
    initialize(c, start);
    go(c, 0, split, rows);
    expect(fmi2.GetFMUstate(c, &saved) == OK, "fmi2GetFMUstate");
    expect(fmi2.SerializedFMUstateSize(c, saved, &size) == OK, "fmi2SerializedFMUstateSize");
    char *bytes = malloc(size);
    expect(fmi2.SerializeFMUstate(c, saved, bytes, size) == OK, "fmi2SerializeFMUstate");
    write_file(state_path, bytes, size);
    go(c, split, count, rows);
    expect(fmi2.SetFMUstate(c, saved) == OK, "fmi2SetFMUstate");
    go(c, split, count, again);
    expect(!memcmp(rows + before, again + before, after), "a restored state goes on differently");
    expect(fmi2.FreeFMUstate(c, &saved) == OK && saved == NULL, "fmi2FreeFMUstate");
    expect(fmi2.DeSerializeFMUstate(c, bytes, size, &copy) == OK, "fmi2DeSerializeFMUstate");
    expect(fmi2.SetFMUstate(c, copy) == OK, "fmi2SetFMUstate of bytes");
    go(c, split, count, again);
    expect(!memcmp(rows + before, again + before, after), "a serialised state goes on differently");
    expect(fmi2.Reset(c) == OK, "fmi2Reset");
    initialize(c, start);
    go(c, 0, split, again);
    expect(!memcmp(rows, again, before * sizeof *rows), "after fmi2Reset it runs differently");
    expect(fmi2.Terminate(c) == OK, "fmi2Terminate");
    fmi2.FreeInstance(c);
    write_file(rows_path, rows, (size_t)count * row * sizeof *rows);
    free(bytes), free(rows), free(again);
}

static void resume(void) {
    size_t row = width(), before = (size_t)split * row, capacity = 1 << 24;
    double *rows = calloc((size_t)count * row, sizeof *rows);
    char *bytes = malloc(capacity);
    FILE *file = fopen(state_path, "rb");
    expect(file != NULL, "the state cannot be read");
    size_t size = fread(bytes, 1, capacity, file);
    fclose(file);
    component c = make();
    state saved = NULL;
    expect(fmi2.DeSerializeFMUstate(c, bytes, size, &saved) == OK, "fmi2DeSerializeFMUstate");
    expect(fmi2.SetFMUstate(c, saved) == OK, "fmi2SetFMUstate");
    go(c, split, count, rows);
    fmi2.FreeInstance(c);
    write_file(rows_path, rows + before, (size_t)(count - split) * row * sizeof *rows);
    free(bytes), free(rows);
}

static void wrong(void) {
    const reference unknown = ~0u;
    double value = 1.0;
    state copy = NULL;
    expect(fmi2.Instantiate("", 1, guid, resources, &none, 0, 0) == NULL, "no name");
    expect(fmi2.Instantiate("other", 1, "{other}", resources, &none, 0, 0) == NULL, "another GUID");
    expect(fmi2.Instantiate(NULL, 1, NULL, NULL, NULL, 0, 0) == NULL, "nothing");
    component c = make();
    initialize(c, 0.0);
    expect(fmi2.GetReal(c, &unknown, 1, &value) == ERROR, "an unknown reference");
    expect(fmi2.GetReal(c, NULL, 1, &value) == ERROR, "no references");
    expect(fmi2.SetReal(c, &unknown, (size_t)-1, &value) == ERROR, "an endless array");
    expect(fmi2.SetupExperiment(c, 0, 0.0, 0.0, 0, 0.0) == ERROR, "fmi2SetupExperiment too late");
    expect(fmi2.DoStep(c, -7.0, 0.01, 0) == ERROR, "a step out of order");
    expect(fmi2.DoStep(c, 0.0, NAN, 0) == ERROR, "a step without size");
    expect(fmi2.GetReal((component)&value, &unknown, 1, &value) == ERROR, "an invented component");
    expect(fmi2.GetReal(NULL, &unknown, 1, &value) == ERROR, "no component");
    expect(fmi2.DeSerializeFMUstate(c, "rubbish", 7, &copy) == ERROR, "rubbish for a state");
    expect(fmi2.SetFMUstate(c, (state)&copy) == ERROR, "an invented state");
    expect(fmi2.CancelStep(c) == ERROR, "fmi2CancelStep");
    expect(fmi2.DoStep(c, 0.0, 1e-3, 0) == OK, "it goes on");
    fmi2.FreeInstance(c);
}

/* Of the probe: reference of the variable that asks for mischief, and its value for a panic in fmi2DoStep. */
enum { MISCHIEF = 6, PANIC = 5 };

static component probe(const char *name, int mischief) {
    const reference it = MISCHIEF;
    component c = fmi2.Instantiate(name, 1, guid, NULL, &none, 0, 0);
    expect(c != NULL, "fmi2Instantiate");
    expect(fmi2.SetInteger(c, &it, 1, &mischief) == OK, "fmi2SetInteger");
    initialize(c, 0.0);
    return c;
}

static void panic(void) {
    expect(fmi2.Instantiate("panic", 1, guid, NULL, &none, 0, 0) == NULL, "a panic in fmi2Instantiate gives NULL");
    for (int k = 0; k < 100; k++) {
        component sick = probe("sick", PANIC), well = probe("well", 0);
        expect(fmi2.DoStep(sick, 0.0, 0.1, 1) == FATAL, "a panic is fatal");
        expect(fmi2.DoStep(sick, 0.1, 0.1, 1) != OK, "after a panic nothing works");
        expect(fmi2.DoStep(well, 0.0, 0.1, 1) == OK, "another instance lives on");
        fmi2.FreeInstance(sick), fmi2.FreeInstance(well);
    }
}

static int act(int argc, char **argv) {
    expect(argc >= 5, "usage: host LIBRARY GUID RESOURCES run|resume|wrong|panic|find ...");
    const char *mode = argv[4];
    guid = argv[2], resources = argv[3];
    void *library = load(argv[1]);
    if (!strcmp(mode, "run") || !strcmp(mode, "resume")) {
        expect(argc == 12, "run and resume take VARIABLES START STEP COUNT SPLIT STATE ROWS");
        read_variables(argv[5]);
        start = strtod(argv[6], NULL), step_size = strtod(argv[7], NULL);
        count = strtol(argv[8], NULL, 10), split = strtol(argv[9], NULL, 10);
        state_path = argv[10], rows_path = argv[11];
        if (!strcmp(mode, "run")) run();
        else resume();
    } else if (!strcmp(mode, "wrong")) {
        wrong();
    } else if (!strcmp(mode, "panic")) {
        panic();
    } else if (!strcmp(mode, "find")) {
        for (int k = 5; k < argc; k++) {
            resources = strcmp(argv[k], "-") ? argv[k] : NULL;
            component c = fmi2.Instantiate("one", 1, guid, resources, &none, 0, 0);
            expect(c != NULL, argv[k]);
            fmi2.FreeInstance(c);
        }
    } else {
        fail("unknown mode");
    }
    expect(!close_library(library), "the library cannot be unloaded");
    return 0;
}
