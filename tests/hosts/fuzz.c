/* A host in C that calls the functions of an FMU in random order with random arguments.
 *
 *     fuzz LIBRARY GUID RESOURCES FIRST LAST CALLS
 *
 * One instance per seed from FIRST to LAST, with so many calls each. Whatever is called: the process lives on, every status is one of the
 * standard, what is refused changes nothing that a saved state would not bring back, and after going back to a state the same calls
 * give the same bits. Prints the numbers of calls and of comparisons, and a sum of everything that was answered; or one line on standard
 * error with the seed, and exit code 1.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../portable.h"

#include "../fmi2.h"

enum { MOST_VALUES = 4096, REPEATED = 3 };

typedef struct {
    void *handle;
#define FIELD(result, name, arguments) result(*name) arguments;
    FUNCTIONS(FIELD)
} library;

static library api;
static const char *guid, *resources;
static long seed, num_calls, num_compared;

static void fail(const char *what) {
    fprintf(stderr, "seed %ld, call %ld: %s\n", seed, num_calls, what);
    exit(1);
}

static uint64_t random_state;

/* Numbers of Marsaglia's xorshift: "Xorshift RNGs", Journal of Statistical Software 8 (2003). */
static uint64_t draw(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

static unsigned below(unsigned bound) { return (unsigned)((draw() >> 33) % bound); }

static double part(void) { return (double)(draw() >> 11) / 9007199254740992.0; }

/* Mostly small numbers; now and then what must not be. */
static double number(void) {
    static const double odd[] = {0.0, -0.0, 1e-300, 1e300, -1e9, NAN, INFINITY, -INFINITY};
    unsigned kind = below(20);
    return kind == 0 ? odd[below(8)] : kind < 4 ? 100.0 * (part() - 0.5) : part();
}

/* Of statuses and values, by the multiplication of Fowler, Noll and Vo. */
static uint64_t sum;

static void add(uint64_t answer) { sum = (sum ^ answer) * 0x100000001B3u; }

static int count(int status) {
    num_calls++;
    add((uint64_t)status);
    if (status < OK || status > PENDING) fail("a status that the standard does not know");
    return status;
}

typedef struct {
    component c;
    size_t num_reals;
    reference references[MOST_VALUES];
    double values[MOST_VALUES];
    double t;
    int steps;
} instance;

static void listen(void *count, const char *name, int status, const char *category, const char *format, ...) {
    (void)count, (void)name, (void)status, (void)category, (void)format;
}

static const callbacks functions = {(void *)listen, NULL, NULL, NULL, NULL};

/* A fresh instance that can be stepped. */
static void begin(instance *it) {
    it->c = api.Instantiate("fuzzed", 1, guid, resources, &functions, 0, below(2));
    if (!it->c) fail("fmi2Instantiate");
    if (count(api.SetupExperiment(it->c, 0, 0.0, 0.0, 0, 0.0)) || count(api.EnterInitializationMode(it->c)) || count(api.ExitInitializationMode(it->c)))
        fail("initialization");
    reference k = 0;
    while (k < MOST_VALUES && api.GetReal(it->c, &k, 1, it->values) == OK) it->references[k] = k, k++;
    it->num_reals = k;
    it->t = 0.0;
    it->steps = 1;
}

static reference any(const instance *it) { return below((unsigned)it->num_reals + 3); }

/* What may be set before every step, and a step. Refused values are refused; a step that is not finished leaves the time. */
static void advance(instance *it) {
    int order = 1, integer = (int)below(5) - 1;
    double value = number(), slope = part();
    const char *text = below(2) ? "" : "nothing of that name";
    reference at = any(it);
    switch (below(6)) {
    case 0: count(api.SetReal(it->c, &at, 1, &value)); break;
    case 1: count(api.SetRealInputDerivatives(it->c, &at, 1, &order, &slope)); break;
    case 2: count(api.SetInteger(it->c, &at, 1, &integer)); break;
    case 3: count(api.SetBoolean(it->c, &at, 1, &integer)); break;
    case 4: count(api.SetString(it->c, &at, 1, &text)); break;
    default: break;
    }
    double size = 0.02 * part() * part();
    int status = count(api.DoStep(it->c, it->t, size, (int)below(2)));
    if (status == OK || status == WARNING) it->t += size;
    if (status == FATAL) fail("fatal");
    if (status == ERROR) it->steps = 0;
}

static int read_all(instance *it) {
    int status = count(api.GetReal(it->c, it->references, it->num_reals, it->values));
    for (size_t k = 0; k < it->num_reals; k++) {
        uint64_t bits;
        memcpy(&bits, it->values + k, sizeof bits);
        add(bits);
    }
    return status;
}

/* Goes on from a state twice, perhaps through bytes, and compares every Real. */
static void repeat(instance *it) {
    static double expected[MOST_VALUES];
    state saved = NULL;
    if (count(api.GetFMUstate(it->c, &saved)) != OK) fail("fmi2GetFMUstate");
    double t = it->t;
    uint64_t numbers = random_state;
    for (int k = 0; k < REPEATED && it->steps; k++) advance(it);
    int steps = it->steps, status = read_all(it);
    double end = it->t;
    memcpy(expected, it->values, sizeof expected);
    random_state = numbers;
    if (num_compared % 2) {
        size_t size = 0;
        if (count(api.SerializedFMUstateSize(it->c, saved, &size)) != OK) fail("fmi2SerializedFMUstateSize");
        char *bytes = malloc(size);
        if (count(api.SerializeFMUstate(it->c, saved, bytes, size)) != OK) fail("fmi2SerializeFMUstate");
        if (count(api.FreeFMUstate(it->c, &saved)) != OK) fail("fmi2FreeFMUstate");
        if (count(api.DeSerializeFMUstate(it->c, bytes, size, &saved)) != OK) fail("fmi2DeSerializeFMUstate");
        free(bytes);
    }
    if (count(api.SetFMUstate(it->c, saved)) != OK) fail("fmi2SetFMUstate");
    it->t = t, it->steps = 1;
    for (int k = 0; k < REPEATED && it->steps; k++) advance(it);
    if (read_all(it) != status || it->steps != steps || it->t != end || memcmp(expected, it->values, it->num_reals * sizeof *expected))
        fail("after going back to a state the same calls give something else");
    num_compared++;
    if (!it->steps) {
        if (count(api.SetFMUstate(it->c, saved)) != OK) fail("fmi2SetFMUstate after an error");
        it->t = t, it->steps = 1;
    }
    count(api.FreeFMUstate(it->c, &saved));
}

/* Anything, at any time, with arguments that may be wrong. */
static void call_anything(instance *it) {
    int integer = 0, order = (int)below(4) - 1;
    double value = number();
    const char *text = NULL;
    reference at = any(it), other = any(it);
    state none = NULL;
    switch (below(20)) {
    case 0: count(api.GetReal(it->c, &at, 1, &value)); break;
    case 1: count(api.GetInteger(it->c, &at, 1, &integer)); break;
    case 2: count(api.GetBoolean(it->c, &at, 1, &integer)); break;
    case 3: count(api.GetString(it->c, &at, 1, &text)); break;
    case 4: count(api.GetRealOutputDerivatives(it->c, &at, 1, &order, &value)); break;
    case 5: count(api.GetDirectionalDerivative(it->c, &at, 1, &other, 1, &value, &value)); break;
    case 6: count(api.GetStatus(it->c, (int)below(6) - 1, &integer)); break;
    case 7: count(api.GetRealStatus(it->c, (int)below(6) - 1, &value)); break;
    case 8: count(api.GetStringStatus(it->c, (int)below(6) - 1, &text)); break;
    case 9: count(api.SetupExperiment(it->c, 1, number(), number(), 1, number())); break;
    case 10: count(api.EnterInitializationMode(it->c)); break;
    case 11: count(api.ExitInitializationMode(it->c)); break;
    case 12: count(api.SetFMUstate(it->c, below(2) ? NULL : (state)it)); break;
    case 13: count(api.FreeFMUstate(it->c, &none)); break;
    case 14: count(api.CancelStep(it->c)); break;
    case 15: count(api.DoStep(it->c, it->t + 1.0, 0.01, 1)); break;
    case 16: count(api.DoStep(it->c, it->t, -0.01, 1)); break;
    case 17: count(api.GetReal(NULL, &at, 1, &value)); break;
    case 18: count(api.GetReal(it->c, NULL, 1, &value)); break;
    default: read_all(it); break;
    }
}

/* One instance. Calls that are wrong make an error, from which a state brings it back. */
static void run(long calls) {
    instance *it = calloc(1, sizeof *it);
    if (!it) fail("out of memory");
    begin(it);
    state saved = NULL;
    double t = 0.0;
    if (count(api.GetFMUstate(it->c, &saved)) != OK) fail("fmi2GetFMUstate");
    for (long last = num_calls + calls; num_calls < last;) {
        switch (below(8)) {
        case 0: repeat(it); break;
        case 1: case 2: case 3: call_anything(it); break;
        case 4:
            if (count(api.GetFMUstate(it->c, &saved)) == OK) t = it->t;
            break;
        default: advance(it); break;
        }
        /* An instance in error answers nothing more: back to the state that was saved. */
        double time = 0.0;
        reference first = 0;
        if (!it->steps || count(api.GetReal(it->c, &first, 1, &time)) != OK || time != it->t) {
            if (count(api.SetFMUstate(it->c, saved)) != OK) fail("fmi2SetFMUstate does not bring the instance back");
            it->t = t, it->steps = 1;
        }
        if (below(200) == 0) {
            count(api.FreeFMUstate(it->c, &saved));
            count(api.Terminate(it->c));
            if (count(api.Reset(it->c)) != OK) fail("fmi2Reset");
            api.FreeInstance(it->c);
            begin(it);
            t = 0.0;
            if (count(api.GetFMUstate(it->c, &saved)) != OK) fail("fmi2GetFMUstate");
        }
    }
    count(api.FreeFMUstate(it->c, &saved));
    api.FreeInstance(it->c);
    free(it);
}

static int act(int argc, char **argv) {
    if (argc != 7) fail("usage: fuzz LIBRARY GUID RESOURCES FIRST LAST CALLS");
    api.handle = open_library(argv[1]);
    if (!api.handle) fail("the library cannot be loaded");
#define LOAD(result, name, arguments) \
    *(void **)&api.name = find(api.handle, "fmi2" #name); \
    if (!api.name) fail("fmi2" #name " is missing");
    FUNCTIONS(LOAD)
    guid = argv[2], resources = argv[3];
    for (seed = atol(argv[4]); seed <= atol(argv[5]); seed++) {
        random_state = 0x9E3779B97F4A7C15u * (uint64_t)(seed + 1);
        run(atol(argv[6]));
    }
    printf("%ld calls, %ld comparisons, sum 0x%016llx\n", num_calls, num_compared, (unsigned long long)sum);
    if (close_library(api.handle)) fail("the library cannot be unloaded");
    return 0;
}
