/* Linear system x' = A x + B u, y = C x + D u as a model of an FMU.

   The numbers NX, NU, NY, A, B, C and D are defined in front of this file. In co-simulation inputs are constant over a
   step, and the step is exact: the matrix exponential is computed when the step size changes. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NP 0
#define NZ 0
#define STEP_PART 1.0
#define SIZE (NX + NU)

/* the array of an instance */
enum {
    AT_TIME,
    AT_TOLERANCE,
    AT_STEP, /* step size of the matrix that follows */
    AT_MATRIX,
    AT_INPUT = AT_MATRIX + NX * SIZE,
    AT_INPUT_RATE = AT_INPUT + NU,
    AT_STATE = AT_INPUT_RATE + NU,
    MODEL_NUMBERS = AT_STATE + NX
};

typedef struct {
    double *numbers;
} Model;

static void model_free(Model *m) {
    if (m) free(m->numbers);
    free(m);
}

static void model_reset(Model *m) { memset(m->numbers, 0, MODEL_NUMBERS * sizeof(double)); }

static Model *model_new(void) {
    Model *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    m->numbers = calloc(MODEL_NUMBERS, sizeof(double));
    if (m->numbers) return m;
    free(m);
    return NULL;
}

static double *model_time(Model *m) { return m->numbers + AT_TIME; }
static double *model_tolerance(Model *m) { return m->numbers + AT_TOLERANCE; }
static double *model_input(Model *m, int i) { return m->numbers + AT_INPUT + i; }
static double *model_input_rate(Model *m, int i) { return m->numbers + AT_INPUT_RATE + i; }
static double *model_parameter(Model *m, int i) { return NULL; }
static double *model_state(Model *m, int i) { return m->numbers + AT_STATE + i; }
static double model_nominal(const Model *m, int i) { return 1.0; }
static double model_indicator(Model *m, int i) { return 1.0; }
static void model_changed(Model *m) {}
static void model_inputs_changed(Model *m) {}
static void model_step_completed(Model *m) {}
static void model_event(Model *m) {}
static const char *model_begin(Model *m) { return NULL; }

static double combination(const Model *m, const double *by_state, const double *by_input) {
    double sum = 0.0;
    for (int j = 0; j < NX; j++) sum += by_state[j] * m->numbers[AT_STATE + j];
    for (int j = 0; j < NU; j++) sum += by_input[j] * m->numbers[AT_INPUT + j];
    return sum;
}

static double model_rate(Model *m, int i) { return combination(m, A + i * NX, B + i * NU); }
static double model_output(Model *m, int i) { return combination(m, C + i * NX, D + i * NU); }

/* exp of h [A B; 0 0] by a series of a scaled matrix and repeated squares; the upper rows are kept */
static const char *exponential(Model *m, double h) {
    static const int terms = 18;
    const size_t count = SIZE * SIZE;
    double *room = calloc(4 * count + 1, sizeof(double)), size = 0.0;
    double *scaled = room, *sum = room + count, *power = room + 2 * count, *next = room + 3 * count;
    int squares = 0;
    if (!room) return "there is not enough memory";
    for (int i = 0; i < NX; i++) {
        double row = 0.0;
        for (int j = 0; j < SIZE; j++) {
            scaled[i * SIZE + j] = h * (j < NX ? A[i * NX + j] : B[i * NU + j - NX]);
            row += fabs(scaled[i * SIZE + j]);
        }
        if (row > size) size = row;
    }
    while (size > 0.5 && squares < 200) {
        size *= 0.5;
        squares++;
    }
    for (size_t i = 0; i < count; i++) scaled[i] = ldexp(scaled[i], -squares);
    for (int i = 0; i < SIZE; i++) sum[i * SIZE + i] = power[i * SIZE + i] = 1.0;
    for (int k = 1; k <= terms + squares; k++) {
        /* first the series, then the squares */
        const double *left = k <= terms ? power : sum, *right = k <= terms ? scaled : sum;
        for (int i = 0; i < SIZE; i++)
            for (int j = 0; j < SIZE; j++) {
                double total = 0.0;
                for (int l = 0; l < SIZE; l++) total += left[i * SIZE + l] * right[l * SIZE + j];
                next[i * SIZE + j] = k <= terms ? total / k : total;
            }
        memcpy(k <= terms ? power : sum, next, count * sizeof(double));
        if (k <= terms)
            for (size_t i = 0; i < count; i++) sum[i] += power[i];
    }
    memcpy(m->numbers + AT_MATRIX, sum, NX * SIZE * sizeof(double));
    m->numbers[AT_STEP] = h;
    free(room);
    return NULL;
}

static const char *model_advance(Model *m, double t, double h) {
    double x[NX + 1];
    const char *message = NULL;
    if (h == 0.0) return NULL;
    if (h != m->numbers[AT_STEP]) message = exponential(m, h);
    if (message) return message;
    for (int i = 0; i < NX; i++) {
        x[i] = 0.0;
        for (int j = 0; j < SIZE; j++)
            x[i] += m->numbers[AT_MATRIX + i * SIZE + j] * m->numbers[j < NX ? AT_STATE + j : AT_INPUT + j - NX];
    }
    memcpy(m->numbers + AT_STATE, x, NX * sizeof(double));
    m->numbers[AT_TIME] = t + h;
    return NULL;
}
