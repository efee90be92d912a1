/* The functions of FMI 2.0 for co-simulation, with names of their own so that hosts need no headers of the standard. */
#ifndef FMI2_H
#define FMI2_H

#include <stddef.h>

enum { OK, WARNING, DISCARD, ERROR, FATAL, PENDING };

typedef void *component, *state;
typedef unsigned reference;
typedef struct {
    void (*logger)(void *, const char *, int, const char *, const char *, ...);
    void *allocate, *release, *finished, *environment;
} callbacks;

/* All functions of FMI 2.0 for co-simulation: result, name, arguments. */
#define FUNCTIONS(X) \
    X(const char *, GetTypesPlatform, (void)) \
    X(const char *, GetVersion, (void)) \
    X(int, SetDebugLogging, (component, int, size_t, const char *const *)) \
    X(component, Instantiate, (const char *, int, const char *, const char *, const callbacks *, int, int)) \
    X(void, FreeInstance, (component)) \
    X(int, SetupExperiment, (component, int, double, double, int, double)) \
    X(int, EnterInitializationMode, (component)) \
    X(int, ExitInitializationMode, (component)) \
    X(int, Terminate, (component)) \
    X(int, Reset, (component)) \
    X(int, GetReal, (component, const reference *, size_t, double *)) \
    X(int, GetInteger, (component, const reference *, size_t, int *)) \
    X(int, GetBoolean, (component, const reference *, size_t, int *)) \
    X(int, GetString, (component, const reference *, size_t, const char **)) \
    X(int, SetReal, (component, const reference *, size_t, const double *)) \
    X(int, SetInteger, (component, const reference *, size_t, const int *)) \
    X(int, SetBoolean, (component, const reference *, size_t, const int *)) \
    X(int, SetString, (component, const reference *, size_t, const char *const *)) \
    X(int, GetFMUstate, (component, state *)) \
    X(int, SetFMUstate, (component, state)) \
    X(int, FreeFMUstate, (component, state *)) \
    X(int, SerializedFMUstateSize, (component, state, size_t *)) \
    X(int, SerializeFMUstate, (component, state, char *, size_t)) \
    X(int, DeSerializeFMUstate, (component, const char *, size_t, state *)) \
    X(int, GetDirectionalDerivative, \
      (component, const reference *, size_t, const reference *, size_t, const double *, double *)) \
    X(int, SetRealInputDerivatives, (component, const reference *, size_t, const int *, const double *)) \
    X(int, GetRealOutputDerivatives, (component, const reference *, size_t, const int *, double *)) \
    X(int, DoStep, (component, double, double, int)) \
    X(int, CancelStep, (component)) \
    X(int, GetStatus, (component, int, int *)) \
    X(int, GetRealStatus, (component, int, double *)) \
    X(int, GetIntegerStatus, (component, int, int *)) \
    X(int, GetBooleanStatus, (component, int, int *)) \
    X(int, GetStringStatus, (component, int, const char **))

#endif
