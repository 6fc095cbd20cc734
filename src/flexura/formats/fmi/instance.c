/* An instance of an FMU, on a model that stands in front of this file: variables, modes, states and messages.

   Value references are 0 for the time, then inputs, outputs, parameters, states, derivatives and event indicators. */

#include <stdbool.h>
#include <stdio.h>

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

enum { OK, WARNING, DISCARD, ERROR };

typedef void (*Logger2)(void *, const char *, int, const char *, const char *, ...);
typedef void (*Logger3)(void *, int, const char *, const char *);

typedef struct {
    Model *model;
    Logger2 log2;
    Logger3 log3;
    void *environment;
    char name[200];
    bool begun;
} Instance;

static int fail(Instance *c, const char *message) {
    if (c->log2) c->log2(c->environment, c->name, ERROR, "logStatusError", "%s", message);
    if (c->log3) c->log3(c->environment, ERROR, "logStatusError", message);
    return ERROR;
}

static int fail_at(Instance *c, const char *message, double t) {
    char text[300];
    snprintf(text, sizeof text, "%s (t = %.9g s)", message, t);
    return fail(c, text);
}

static Instance *instantiate(const char *name, const char *token, Logger2 log2, Logger3 log3, void *environment) {
    Instance *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    c->log2 = log2;
    c->log3 = log3;
    c->environment = environment;
    snprintf(c->name, sizeof c->name, "%s", name ? name : "");
    if (!token || strcmp(token, TOKEN) != 0) {
        fail(c, "the description does not belong to this code: its token differs");
        free(c);
        return NULL;
    }
    c->model = model_new();
    if (!c->model) {
        fail(c, "there is not enough memory");
        free(c);
        return NULL;
    }
    return c;
}

static void release(Instance *c) {
    if (c) model_free(c->model);
    free(c);
}

static int begin(Instance *c) {
    const char *message = model_begin(c->model);
    return message ? fail_at(c, message, *model_time(c->model)) : OK;
}

static int get_one(Instance *c, unsigned r, double *value) {
    Model *m = c->model;
    int i = (int)r - 1;
    if (r == 0) *value = *model_time(m);
    else if (i < NU) *value = *model_input(m, i);
    else if ((i -= NU) < NY) *value = model_output(m, i);
    else if ((i -= NY) < NP) *value = *model_parameter(m, i);
    else if ((i -= NP) < NX) *value = *model_state(m, i);
    else if ((i -= NX) < NX) *value = model_rate(m, i);
    else if ((i -= NX) < NZ) *value = model_indicator(m, i);
    else return fail(c, "there is no variable with this value reference");
    return OK;
}

static int get(Instance *c, const unsigned r[], size_t n, double v[]) {
    int status = OK;
    if (!c->begun && begin(c) != OK) return ERROR;
    for (size_t i = 0; i < n && status == OK; i++) {
        status = get_one(c, r[i], v + i);
        if (status == OK && !(fabs(v[i]) <= 1.7976931348623157e308))
            status = fail_at(c, "a value is not finite: the position is singular, or a law has no value", *model_time(c->model));
    }
    return status;
}

static int set_one(Instance *c, unsigned r, double value) {
    int i = (int)r - 1;
    if (!(fabs(value) <= 1.7976931348623157e308)) return fail(c, "a value that is not finite was set");
    if (r == 0) return fail(c, "the time is not set as a variable");
    if (i < NU) {
        *model_input(c->model, i) = value;
        model_inputs_changed(c->model);
    } else if ((i -= NU) < NY) return fail(c, "an output cannot be set");
    else if ((i -= NY) < NP) {
        if (c->begun) return fail(c, "a parameter is set before initialisation");
        *model_parameter(c->model, i) = value;
    } else if ((i -= NP) < NX) *model_state(c->model, i) = value;
    else return fail(c, "only inputs, parameters and states can be set");
    return OK;
}

static int set(Instance *c, const unsigned r[], size_t n, const double v[]) {
    int status = OK;
    for (size_t i = 0; i < n && status == OK; i++) status = set_one(c, r[i], v[i]);
    model_changed(c->model);
    return status;
}

static int set_input_rates(Instance *c, const unsigned r[], size_t n, const int order[], const double v[]) {
    for (size_t i = 0; i < n; i++) {
        if (r[i] < 1 || r[i] > NU || order[i] != 1) return fail(c, "only first derivatives of inputs can be set");
        *model_input_rate(c->model, (int)r[i] - 1) = v[i];
    }
    return OK;
}

static int reset(Instance *c) {
    model_reset(c->model);
    c->begun = false;
    return OK;
}

static int setup(Instance *c, bool defined, double tolerance, double t) {
    *model_time(c->model) = t;
    model_inputs_changed(c->model);
    if (defined && tolerance > 0.0) *model_tolerance(c->model) = STEP_PART * tolerance > 1e-13 ? STEP_PART * tolerance : 1e-13;
    return OK;
}

static int exit_initialisation(Instance *c) {
    int status = begin(c);
    c->begun = status == OK;
    return status;
}

static int advance(Instance *c, double t, double h) {
    const char *message;
    if (!c->begun) return fail(c, "a step before the end of initialisation");
    message = model_advance(c->model, t, h);
    return message ? fail_at(c, message, *model_time(c->model)) : OK;
}

static int set_time(Instance *c, double t) {
    *model_time(c->model) = t;
    model_changed(c->model);
    return OK;
}

static int set_states(Instance *c, const double v[], size_t n) {
    if (n != NX) return fail(c, "the number of states is another one");
    for (int i = 0; i < NX; i++) *model_state(c->model, i) = v[i];
    model_changed(c->model);
    return OK;
}

static int get_states(Instance *c, double v[], size_t n) {
    if (n != NX) return fail(c, "the number of states is another one");
    for (int i = 0; i < NX; i++) v[i] = *model_state(c->model, i);
    return OK;
}

static int get_rates(Instance *c, double v[], size_t n) {
    if (n != NX) return fail(c, "the number of states is another one");
    for (int i = 0; i < NX; i++) {
        v[i] = model_rate(c->model, i);
        /* an integrator takes a shorter step */
        if (!(fabs(v[i]) <= 1.7976931348623157e308)) return DISCARD;
    }
    return OK;
}

static int get_nominals(Instance *c, double v[], size_t n) {
    if (n != NX) return fail(c, "the number of states is another one");
    for (int i = 0; i < NX; i++) v[i] = model_nominal(c->model, i);
    return OK;
}

static int get_indicators(Instance *c, double v[], size_t n) {
    if (n != NZ) return fail(c, "the number of event indicators is another one");
    for (int i = 0; i < NZ; i++) v[i] = model_indicator(c->model, i);
    return OK;
}

static int complete_step(Instance *c) {
    model_step_completed(c->model);
    return OK;
}

static int enter_event(Instance *c) {
    model_event(c->model);
    return OK;
}

/* ---- states ----------------------------------------------------------------------------------------------------- */

#define STATE_BYTES ((MODEL_NUMBERS + 1) * sizeof(double))

static int save(Instance *c, void **state) {
    if (!*state) *state = malloc(STATE_BYTES);
    if (!*state) return fail(c, "there is not enough memory");
    memcpy(*state, c->model->numbers, MODEL_NUMBERS * sizeof(double));
    ((double *)*state)[MODEL_NUMBERS] = c->begun ? 1.0 : 0.0;
    return OK;
}

static int restore(Instance *c, const void *state) {
    if (!state) return fail(c, "there is no such state");
    memcpy(c->model->numbers, state, MODEL_NUMBERS * sizeof(double));
    c->begun = ((const double *)state)[MODEL_NUMBERS] != 0.0;
    model_changed(c->model);
    return OK;
}

static int discard(void **state) {
    free(*state);
    *state = NULL;
    return OK;
}

static int write_state(Instance *c, const void *state, char bytes[], size_t n) {
    if (!state || n < STATE_BYTES) return fail(c, "the room for a state is too small");
    memcpy(bytes, state, STATE_BYTES);
    return OK;
}

static int read_state(Instance *c, const char bytes[], size_t n, void **state) {
    if (n < STATE_BYTES) return fail(c, "these bytes are not a state");
    if (!*state) *state = malloc(STATE_BYTES);
    if (!*state) return fail(c, "there is not enough memory");
    memcpy(*state, bytes, STATE_BYTES);
    return OK;
}
