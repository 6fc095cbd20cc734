/* Linear system x' = A x + B u, y = C x + D u as an FMU: FMI 2.0 and 3.0, model exchange and co-simulation.

   The numbers NX, NU, NY, A, B, C, D, X0, U0 and TOKEN are defined in front of this file. Value references are
   0 for the time, then inputs, outputs, states and derivatives. In co-simulation inputs are constant over a step,
   and the step is exact: the matrix exponential is computed when the step size changes. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

#define SIZE (NX + NU)
#define ROOM(n) ((n) > 0 ? (n) : 1)

typedef struct {
    double t, u[ROOM(NU)], x[ROOM(NX)];
    double h, step[ROOM(NX) * ROOM(SIZE)];
} Instance;

static void reset(Instance *s) {
    s->t = 0.0;
    s->h = -1.0;
    memcpy(s->u, U0, sizeof s->u);
    memcpy(s->x, X0, sizeof s->x);
}

static void *create(const char *token) {
    Instance *s;
    if (!token || strcmp(token, TOKEN) != 0) return NULL;
    s = calloc(1, sizeof *s);
    if (s) reset(s);
    return s;
}

static double rate(const Instance *s, int i) {
    double sum = 0.0;
    for (int j = 0; j < NX; j++) sum += A[i * NX + j] * s->x[j];
    for (int j = 0; j < NU; j++) sum += B[i * NU + j] * s->u[j];
    return sum;
}

static double output(const Instance *s, int i) {
    double sum = 0.0;
    for (int j = 0; j < NX; j++) sum += C[i * NX + j] * s->x[j];
    for (int j = 0; j < NU; j++) sum += D[i * NU + j] * s->u[j];
    return sum;
}

/* exp of h [A B; 0 0] by a series of a scaled matrix and repeated squares; the upper rows are kept */
static void exponential(Instance *s, double h) {
    static const int terms = 18;
    double *m = calloc(SIZE * SIZE + 1, sizeof(double)), *sum = calloc(SIZE * SIZE + 1, sizeof(double));
    double *power = calloc(SIZE * SIZE + 1, sizeof(double)), *next = calloc(SIZE * SIZE + 1, sizeof(double));
    double size = 0.0;
    int squares = 0;
    for (int i = 0; i < NX; i++) {
        double row = 0.0;
        for (int j = 0; j < SIZE; j++) {
            m[i * SIZE + j] = h * (j < NX ? A[i * NX + j] : B[i * NU + j - NX]);
            row += fabs(m[i * SIZE + j]);
        }
        if (row > size) size = row;
    }
    while (size > 0.5 && squares < 200) {
        size *= 0.5;
        squares++;
    }
    for (int i = 0; i < SIZE * SIZE; i++) m[i] = ldexp(m[i], -squares);
    for (int i = 0; i < SIZE; i++) sum[i * SIZE + i] = power[i * SIZE + i] = 1.0;
    for (int k = 1; k <= terms + squares; k++) {
        /* first the series, then the squares */
        const double *left = k <= terms ? power : sum, *right = k <= terms ? m : sum;
        for (int i = 0; i < SIZE; i++)
            for (int j = 0; j < SIZE; j++) {
                double total = 0.0;
                for (int l = 0; l < SIZE; l++) total += left[i * SIZE + l] * right[l * SIZE + j];
                next[i * SIZE + j] = k <= terms ? total / k : total;
            }
        memcpy(k <= terms ? power : sum, next, SIZE * SIZE * sizeof(double));
        if (k <= terms)
            for (int i = 0; i < SIZE * SIZE; i++) sum[i] += power[i];
    }
    memcpy(s->step, sum, NX * SIZE * sizeof(double));
    s->h = h;
    free(m);
    free(sum);
    free(power);
    free(next);
}

static void advance(Instance *s, double t, double h) {
    double x[ROOM(NX)];
    if (h != s->h) exponential(s, h);
    for (int i = 0; i < NX; i++) {
        x[i] = 0.0;
        for (int j = 0; j < SIZE; j++) x[i] += s->step[i * SIZE + j] * (j < NX ? s->x[j] : s->u[j - NX]);
    }
    memcpy(s->x, x, NX * sizeof(double));
    s->t = t + h;
}

static int get(const Instance *s, unsigned r, double *value) {
    if (r == 0) *value = s->t;
    else if (r <= NU) *value = s->u[r - 1];
    else if (r <= NU + NY) *value = output(s, (int)r - 1 - NU);
    else if (r <= NU + NY + NX) *value = s->x[r - 1 - NU - NY];
    else if (r <= NU + NY + 2 * NX) *value = rate(s, (int)r - 1 - NU - NY - NX);
    else return 3;
    return 0;
}

static int set(Instance *s, unsigned r, double value) {
    if (r >= 1 && r <= NU) s->u[r - 1] = value;
    else if (r > NU + NY && r <= NU + NY + NX) s->x[r - 1 - NU - NY] = value;
    else return 3;
    return 0;
}

static int get_all(const Instance *s, const unsigned r[], size_t n, double v[]) {
    int status = 0;
    for (size_t i = 0; i < n; i++) status |= get(s, r[i], v + i);
    return status;
}

static int set_all(Instance *s, const unsigned r[], size_t n, const double v[]) {
    int status = 0;
    for (size_t i = 0; i < n; i++) status |= set(s, r[i], v[i]);
    return status;
}

static int get_rates(const Instance *s, double v[], size_t n) {
    if (n != NX) return 3;
    for (int i = 0; i < NX; i++) v[i] = rate(s, i);
    return 0;
}

static int save(Instance *s, void **copy) {
    if (!*copy) *copy = malloc(sizeof *s);
    if (!*copy) return 3;
    memcpy(*copy, s, sizeof *s);
    return 0;
}

/* ---- FMI 2.0 ---------------------------------------------------------------------------------------------------- */

typedef struct {
    int newDiscreteStatesNeeded, terminateSimulation, nominalsChanged, valuesChanged, nextEventTimeDefined;
    double nextEventTime;
} EventInfo;

#define F2(name) EXPORT int fmi2##name
EXPORT const char *fmi2GetTypesPlatform(void) { return "default"; }
EXPORT const char *fmi2GetVersion(void) { return "2.0"; }
EXPORT void *fmi2Instantiate(const char *n, int k, const char *token, const char *p, const void *f, int v, int l) {
    return create(token);
}
EXPORT void fmi2FreeInstance(void *c) { free(c); }
F2(SetDebugLogging)(void *c, int on, size_t n, const char *const names[]) { return 0; }
F2(SetupExperiment)(void *c, int d, double tolerance, double t, int stop, double end) { ((Instance *)c)->t = t; return 0; }
F2(EnterInitializationMode)(void *c) { return 0; }
F2(ExitInitializationMode)(void *c) { return 0; }
F2(Terminate)(void *c) { return 0; }
F2(Reset)(void *c) { reset(c); return 0; }
F2(GetReal)(void *c, const unsigned r[], size_t n, double v[]) { return get_all(c, r, n, v); }
F2(SetReal)(void *c, const unsigned r[], size_t n, const double v[]) { return set_all(c, r, n, v); }
F2(GetInteger)(void *c, const unsigned r[], size_t n, int v[]) { return n ? 3 : 0; }
F2(SetInteger)(void *c, const unsigned r[], size_t n, const int v[]) { return n ? 3 : 0; }
F2(GetBoolean)(void *c, const unsigned r[], size_t n, int v[]) { return n ? 3 : 0; }
F2(SetBoolean)(void *c, const unsigned r[], size_t n, const int v[]) { return n ? 3 : 0; }
F2(GetString)(void *c, const unsigned r[], size_t n, const char *v[]) { return n ? 3 : 0; }
F2(SetString)(void *c, const unsigned r[], size_t n, const char *const v[]) { return n ? 3 : 0; }
F2(GetFMUstate)(void *c, void **copy) { return save(c, copy); }
F2(SetFMUstate)(void *c, void *copy) { memcpy(c, copy, sizeof(Instance)); return 0; }
F2(FreeFMUstate)(void *c, void **copy) { free(*copy); *copy = NULL; return 0; }
F2(SerializedFMUstateSize)(void *c, void *copy, size_t *n) { return 3; }
F2(SerializeFMUstate)(void *c, void *copy, char b[], size_t n) { return 3; }
F2(DeSerializeFMUstate)(void *c, const char b[], size_t n, void **copy) { return 3; }
F2(GetDirectionalDerivative)(void *c, const unsigned z[], size_t n, const unsigned k[], size_t m, const double d[], double o[]) { return 3; }
F2(EnterEventMode)(void *c) { return 0; }
F2(NewDiscreteStates)(void *c, EventInfo *e) { memset(e, 0, sizeof *e); return 0; }
F2(EnterContinuousTimeMode)(void *c) { return 0; }
F2(CompletedIntegratorStep)(void *c, int n, int *event, int *end) { *event = *end = 0; return 0; }
F2(SetTime)(void *c, double t) { ((Instance *)c)->t = t; return 0; }
F2(SetContinuousStates)(void *c, const double v[], size_t n) { memcpy(((Instance *)c)->x, v, n * sizeof(double)); return n == NX ? 0 : 3; }
F2(GetDerivatives)(void *c, double v[], size_t n) { return get_rates(c, v, n); }
F2(GetEventIndicators)(void *c, double v[], size_t n) { return n ? 3 : 0; }
F2(GetContinuousStates)(void *c, double v[], size_t n) { memcpy(v, ((Instance *)c)->x, n * sizeof(double)); return n == NX ? 0 : 3; }
F2(GetNominalsOfContinuousStates)(void *c, double v[], size_t n) { for (size_t i = 0; i < n; i++) v[i] = 1.0; return 0; }
F2(SetRealInputDerivatives)(void *c, const unsigned r[], size_t n, const int o[], const double v[]) { return n ? 3 : 0; }
F2(GetRealOutputDerivatives)(void *c, const unsigned r[], size_t n, const int o[], double v[]) { return n ? 3 : 0; }
F2(DoStep)(void *c, double t, double h, int keep) { advance(c, t, h); return 0; }
F2(CancelStep)(void *c) { return 3; }
F2(GetStatus)(void *c, int k, int *v) { return 3; }
F2(GetRealStatus)(void *c, int k, double *v) { if (k == 2) { *v = ((Instance *)c)->t; return 0; } return 3; }
F2(GetIntegerStatus)(void *c, int k, int *v) { return 3; }
F2(GetBooleanStatus)(void *c, int k, int *v) { if (k == 3) { *v = 0; return 0; } return 3; }
F2(GetStringStatus)(void *c, int k, const char **v) { return 3; }
