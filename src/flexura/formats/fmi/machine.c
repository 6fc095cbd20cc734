/* A system of tables: programs, kernels of elements and laws, and sparse factors.

   The enumerations of tables, the operations of programs and SERIES are defined in front of this file. A table of
   numbers belongs to an instance, a table of indices to all of them. */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef int64_t Index;
typedef void (*Kernel)(Index, const Index *, const double *, const double *, const double *, const double *, double *);

typedef struct {
    double *at;
    Index n, m;
} Numbers;

typedef struct {
    const Index *at;
    Index n, m;
} Indices;

typedef struct {
    Numbers number[NUMBER_TABLES];
    Indices index[INDEX_TABLES];
    const Kernel *motion, *shape, *track, *stress, *displayed;
} System;

/* tables of the system s by name, and their numbers of rows and columns */
#define R(name) (s->number[N_##name].at)
#define R_ROWS(name) (s->number[N_##name].n)
#define I(name) (s->index[I_##name].at)
#define ROWS(name) (s->index[I_##name].n)

double flexura_function(Index number, double x, double y);

/* derivative of an order of the angle over its sine, by its cosine */
double flexura_arc(double c, double order) {
    int nth = (int)order;
    double w = 0.5 * (1.0 - c), square, before = 0.0, value;
    if (w < 0.25) {
        double total = 0.0;
        int terms = w < FEWER_BELOW ? SERIES_FEWER : w < FEW_BELOW ? SERIES_FEW : SERIES_MANY;
        for (int n = terms - 1; n >= 0; n--) total = SERIES[nth * SERIES_MANY + n] + w * total;
        return total;
    }
    square = 1.0 - c * c;
    value = acos(c) / sqrt(square);
    for (int n = 1; n <= nth; n++) {
        double next = ((2 * n - 1) * c * value + (n > 1 ? (n - 1) * (n - 1) * before : -1.0)) / square;
        before = value;
        value = next;
    }
    return value;
}

/* ---- programs --------------------------------------------------------------------------------------------------- */

static double look_up(const System *s, Index number, Index order, double x) {
    Index first = I(program_table_start)[number], last = I(program_table_start)[number + 1] - 1, low = first, high = last;
    const double *at = R(program_table_break), *c = R(program_table_coefficient);
    double u;
    if (x < at[first]) return order == 0 ? c[4 * first] : 0.0;
    if (x > at[last]) return order == 0 ? c[4 * last] : 0.0;
    while (high - low > 1) {
        Index middle = (low + high) / 2;
        if (x < at[middle]) high = middle;
        else low = middle;
    }
    c += 4 * low;
    u = x - at[low];
    if (order == 0) return c[0] + u * (c[1] + u * (c[2] + u * c[3]));
    if (order == 1) return c[1] + u * (2.0 * c[2] + u * 3.0 * c[3]);
    return order == 2 ? 2.0 * c[2] + 6.0 * u * c[3] : 6.0 * c[3];
}

static void run(const System *s, Index start, Index stop) {
    double *r = R(program_registers);
    for (const Index *row = I(program_code) + 4 * start; row < I(program_code) + 4 * stop; row += 4) {
        Index operation = row[0], b = row[3];
        double x = r[row[2]], y;
        switch (operation) {
        case OPERATION_ADD: y = x + r[b]; break;
        case OPERATION_SUBTRACT: y = x - r[b]; break;
        case OPERATION_MULTIPLY: y = x * r[b]; break;
        case OPERATION_DIVIDE: y = x / r[b]; break;
        case OPERATION_SQUARE: y = x * x; break;
        case OPERATION_NEGATE: y = -x; break;
        case OPERATION_RECIPROCAL: y = 1.0 / x; break;
        case OPERATION_SQRT: y = sqrt(x); break;
        case OPERATION_POWER: y = pow(x, r[b]); break;
        case OPERATION_TABLE: y = look_up(s, b / 4, b % 4, x); break;
        default: y = flexura_function(operation - OPERATION_FUNCTION, x, r[b]);
        }
        r[row[1]] = y;
    }
}

/* ---- kernels ---------------------------------------------------------------------------------------------------- */

#define CALL_LEVEL(level)                                                                                              \
    static void call_##level(const System *s, const double *x, const double *v) {                                      \
        for (Index k = 0; k < ROWS(level##_count); k++)                                                                \
            s->level[k](I(level##_count)[k], I(index) + I(level##_index_start)[k], R(number) + I(level##_number_start)[k], \
                        x, v, R(level##_extra) + I(level##_extra_start)[k], R(level##_out) + I(level##_out_start)[k]); \
    }
CALL_LEVEL(motion)
CALL_LEVEL(shape)
CALL_LEVEL(track)

/* laws of elements: STRESS is level 0, DISPLAYED level 2 */
static void call_laws(const System *s, const Kernel *kernels, Index level) {
    double *r = R(program_registers);
    Index kinds = ROWS(feedback_laws_count);
    for (Index k = 0; k < kinds; k++)
        if (kernels[k])
            kernels[k](I(feedback_laws_count)[k], I(feedback_laws_index) + I(feedback_laws_index_start)[k],
                       R(feedback_laws_number) + I(feedback_laws_number_start)[level * kinds + k], r, r, r,
                       r + I(feedback_laws_out_start)[level * kinds + k]);
}

/* numbers that follow the motion */
static void follow_motion(const System *s, const double *x, const double *v) {
    if (!ROWS(track_target)) return;
    call_track(s, x, v);
    for (Index i = 0; i < ROWS(track_target); i++) R(number)[I(track_target)[i]] = R(track_out)[i];
}

/* ---- factors ---------------------------------------------------------------------------------------------------- */

static void go_back(const System *s, double *z) {
    const double *values = R(factors_values), *scaled = R(factors_scaled);
    Index count = R_ROWS(z);
    for (Index k = 0; k < count; k++) z[k] *= values[k];
    for (Index a = ROWS(factors_row) - 1; a >= 0; a--)
        z[I(factors_column)[a]] -= scaled[count + a] * z[I(factors_row)[a]];
}

static void factorise_and_solve(const System *s, double *z) {
    double *values = R(factors_values), *scaled = R(factors_scaled);
    const Index *start = I(factors_start), *products = I(factors_product_start);
    Index count = R_ROWS(z);
    for (Index k = 0; k < count; k++) {
        double inverse = 1.0 / values[k], zk = z[k] * inverse;
        values[k] = inverse;
        for (Index c = products[k]; c < products[k + 1]; c++)
            values[I(factors_target)[c]] -= values[I(factors_left)[c]] * values[I(factors_right)[c]] * inverse;
        for (Index a = start[k]; a < start[k + 1]; a++) {
            scaled[a] = values[a] * inverse;
            z[I(factors_row)[a - count]] -= values[a] * zk;
        }
    }
    go_back(s, z);
}

static void solve(const System *s, double *z) {
    Index count = R_ROWS(z);
    for (Index a = 0; a < ROWS(factors_row); a++)
        z[I(factors_row)[a]] -= R(factors_scaled)[count + a] * z[I(factors_column)[a]];
    go_back(s, z);
}
