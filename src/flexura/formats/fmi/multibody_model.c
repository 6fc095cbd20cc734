/* A model as an FMU: its state, inputs, outputs, parameters, rates and events.

   In front of this file stand the equations of motion and the tables of the model: systems, start, inputs, outputs,
   parameters, coefficients of the method. All numbers of an instance are one array, so that a copy of it is its state. */

/* the array: tables of the systems, then these */
enum {
    AT_TIME = SYSTEM_NUMBERS,
    AT_STEP,      /* step size that error control asks for, 0 at the start */
    AT_ERROR,     /* error of the last step */
    AT_TOLERANCE, /* of positions and rates, local */
    AT_SET,       /* time at which inputs were set */
    AT_INPUT,
    AT_INPUT_RATE = AT_INPUT + NU,
    AT_PARAMETER = AT_INPUT_RATE + NU,
    AT_X = AT_PARAMETER + NP,
    AT_V = AT_X + COORDINATES,
    AT_A = AT_V + COORDINATES,
    AT_STRESS = AT_A + COORDINATES,
    AT_SIDE = AT_STRESS + STRAINS,
    MODEL_NUMBERS = AT_SIDE + TOUCHES
};

#define STAGES 12

typedef struct {
    double *numbers;
    System motion, view;
    int fresh; /* accelerations, rates of states and outputs are those of the present state */
    double rate[2 * COORDINATES + 1], output[NY + 1];
    /* scratch: states of the view, stages and the start of a step */
    double wide[4][WIDE + 1], wide_stress[WIDE_STRAINS + 1];
    double x0[COORDINATES + 1], v0[COORDINATES + 1], a0[COORDINATES + 1], xs[COORDINATES + 1];
    double vs[STAGES + 1][COORDINATES + 1], as[STAGES + 1][COORDINATES + 1];
} Model;

static void bind(System *s, double *numbers, const Index (*number)[3], const Index (*index)[3]) {
    for (int i = 0; i < NUMBER_TABLES; i++) s->number[i] = (Numbers){numbers + number[i][0], number[i][1], number[i][2]};
    for (int i = 0; i < INDEX_TABLES; i++) s->index[i] = (Indices){INDICES + index[i][0], index[i][1], index[i][2]};
}

static void model_free(Model *m) {
    if (m) free(m->numbers);
    free(m);
}

static void model_reset(Model *m) {
    double *d = m->numbers;
    memset(d, 0, MODEL_NUMBERS * sizeof(double));
    memcpy(d, SYSTEM_START, SYSTEM_NUMBERS * sizeof(double));
    memcpy(d + AT_INPUT, INPUT_START, NU * sizeof(double));
    memcpy(d + AT_PARAMETER, PARAMETER_START, NP * sizeof(double));
    memcpy(d + AT_X, POSITION_START, COORDINATES * sizeof(double));
    memcpy(d + AT_V, RATE_START, COORDINATES * sizeof(double));
    d[AT_TOLERANCE] = TOLERANCE;
    m->fresh = 0;
}

static Model *model_new(void) {
    Model *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    m->numbers = malloc(MODEL_NUMBERS * sizeof(double));
    if (!m->numbers) {
        free(m);
        return NULL;
    }
    bind(&m->motion, m->numbers, MOTION_NUMBERS, MOTION_INDICES);
    bind(&m->view, m->numbers, VIEW_NUMBERS, VIEW_INDICES);
    m->motion.motion = MOTION_KERNELS;
    m->motion.shape = MOTION_SHAPE_KERNELS;
    m->motion.track = MOTION_TRACK_KERNELS;
    m->motion.stress = MOTION_STRESS_KERNELS;
    m->motion.displayed = MOTION_DISPLAYED_KERNELS;
    m->view.motion = VIEW_KERNELS;
    m->view.shape = VIEW_SHAPE_KERNELS;
    m->view.track = VIEW_TRACK_KERNELS;
    m->view.stress = VIEW_STRESS_KERNELS;
    m->view.displayed = VIEW_DISPLAYED_KERNELS;
    model_reset(m);
    return m;
}

static double *model_time(Model *m) { return m->numbers + AT_TIME; }
static double *model_tolerance(Model *m) { return m->numbers + AT_TOLERANCE; }
static double *model_input(Model *m, int i) { return m->numbers + AT_INPUT + i; }
static double *model_input_rate(Model *m, int i) { return m->numbers + AT_INPUT_RATE + i; }
static double *model_parameter(Model *m, int i) { return m->numbers + AT_PARAMETER + i; }
static double *model_state(Model *m, int i) { return m->numbers + (STATES[i][1] ? AT_V : AT_X) + STATES[i][0]; }
static double model_nominal(const Model *m, int i) { (void)m; return SCALE[STATES[i][0]]; }
static void model_changed(Model *m) { m->fresh = 0; }

static void model_inputs_changed(Model *m) { m->numbers[AT_SET] = m->numbers[AT_TIME]; }

/* ---- inputs and parameters -------------------------------------------------------------------------------------- */

/* inputs are tables of the programs: from t on, the polynomials that began when they were set */
static void place_inputs(Model *m, double t) {
    const double *u = m->numbers + AT_INPUT, *du = m->numbers + AT_INPUT_RATE;
    double past = t - m->numbers[AT_SET];
    System *both[] = {&m->motion, &m->view};
    for (int k = 0; k < 2; k++) {
        const System *s = both[k];
        for (int i = 0; i < INPUTS; i++) {
            Index row = I(program_table_start)[INPUT_TABLE[i][0]], first = INPUT_TABLE[i][1];
            double *c = R(program_table_coefficient) + 4 * row, rate = du[first], second = 0.0;
            if (INPUT_TABLE[i][2]) {
                rate = u[first + 1];
                second = u[first + 2];
            }
            R(program_table_break)[row] = t;
            c[0] = u[first] + past * (rate + 0.5 * past * second);
            c[1] = rate + past * second;
            c[2] = 0.5 * second;
            c[3] = 0.0;
        }
    }
}

/* numbers that are polynomials of parameters; those of several parameters are products or sums */
static void place_parameters(Model *m) {
    const double *p = m->numbers + AT_PARAMETER;
    for (int i = 0; i < DEPENDENT; i++) {
        double total = DEPENDENT_SUM[i] ? 0.0 : 1.0;
        long long place = DEPENDENT_PLACE[i];
        for (long long k = TERM_START[i]; k < TERM_START[i + 1]; k++) {
            double change = p[TERM_PARAMETER[k]] / PARAMETER_START[TERM_PARAMETER[k]] - 1.0, value = 0.0;
            for (int n = DEGREE; n >= 0; n--) value = value * change + TERM_COEFFICIENT[(DEGREE + 1) * k + n];
            total = DEPENDENT_SUM[i] ? total + value : total * value;
        }
        /* positions and rates follow the tables of the systems */
        m->numbers[place < SYSTEM_NUMBERS ? place : AT_X + place - SYSTEM_NUMBERS] = total;
    }
}

static double gap_of(const System *s, Index n) { return R(shape_out)[I(shape_slopes_strain)[I(touch_strain)[n]]]; }

/* the initial state; a message where the links do not fit together */
static const char *model_begin(Model *m) {
    double *d = m->numbers, *x = d + AT_X, *v = d + AT_V;
    const System *s = &m->motion;
    if (NP) place_parameters(m);
    place_inputs(m, d[AT_TIME]);
    if (!(settle(s, d[AT_TIME], x, v, d + AT_A, d + AT_STRESS, 50) < 1e-9))
        return "the links do not fit together with these inputs, parameters and initial values";
    call_shape(s, x, v);
    for (Index n = 0; n < TOUCHES; n++) d[AT_SIDE + n] = gap_of(s, n) < 0.0 ? -1.0 : 1.0;
    follow_motion(s, x, v);
    m->fresh = 0;
    return NULL;
}

/* ---- rates and outputs ------------------------------------------------------------------------------------------ */

static void observe(Model *m) {
    const double *d = m->numbers;
    const System *s = &m->view;
    double *x = m->wide[0], *v = m->wide[1], *a = m->wide[2], *force = m->wide[3], *stress = m->wide_stress;
    for (int i = 0; i < WIDE; i++) {
        x[i] = d[AT_X + WIDEN[i]];
        v[i] = d[AT_V + WIDEN[i]];
        a[i] = 0.0;
    }
    for (Index i = 0; i < ROWS(track_target); i++)
        R(number)[I(track_target)[i]] = m->motion.number[N_number].at[m->motion.index[I_track_target].at[i]];
    settle(s, d[AT_TIME], x, v, a, stress, 8);
    find_forces(s, a, stress, force);
    for (int i = 0; i < NY; i++) {
        Index k = OUTPUTS[i][1], order = OUTPUTS[i][2];
        switch (OUTPUTS[i][0]) {
        case COORDINATE: m->output[i] = m->wide[order][k]; break;
        case COORDINATE_FORCE: m->output[i] = force[k]; break;
        case END_FORCE: m->output[i] = end_force(OUTPUTS[i], x, force, stress); break;
        case STRAIN_FORCE: m->output[i] = 0.0 - stress[k]; break;
        default: m->output[i] = strain_of(s, k, order, v, a);
        }
    }
}

/* rates of the states, which return to the constraints where they have left them */
static void find_rates(Model *m) {
    double *d = m->numbers, *x = d + AT_X, *v = d + AT_V, *a = d + AT_A;
    const System *s = &m->motion;
    double *dx = m->xs, *dv = m->x0;
    accelerate(s, d[AT_TIME], x, v, a, d + AT_STRESS);
    memcpy(dx, v, COORDINATES * sizeof(double));
    memcpy(dv, a, COORDINATES * sizeof(double));
    if (ROWS(rows_place)) {
        if (MOTION_ERRORS(0) > 0.0) correct(s, dx, RETURN_RATE);
        if (MOTION_ERRORS(1) > 0.0) correct(s, dv, RETURN_RATE);
    }
    for (int i = 0; i < NX; i++) m->rate[i] = (STATES[i][1] ? dv : dx)[STATES[i][0]];
}

static void refresh(Model *m) {
    if (m->fresh) return;
    place_inputs(m, m->numbers[AT_TIME]);
    if (NX) find_rates(m);
    if (NY) observe(m);
    m->fresh = 1;
}

static double model_output(Model *m, int i) {
    refresh(m);
    return m->output[i];
}

static double model_rate(Model *m, int i) {
    refresh(m);
    return m->rate[i];
}

/* argument of a function of time that is discontinuous where the argument is zero */
static double switching_argument(const System *s, double t, int i) {
    const double *r = R(program_registers);
    R(program_registers)[0] = t;
    run(s, 0, ROWS(program_code));
    return r[BREAKS[i][0]] - (BREAKS[i][1] < 0 ? 0.0 : r[BREAKS[i][1]]) - BREAK_SHIFT[i];
}

/* gaps across which laws act, then arguments of discontinuous functions of time; a touch is where co-simulation ends a
   step, just before the surfaces meet, since velocities of approach remembered elsewhere differ by 1e-11 */
static double model_indicator(Model *m, int i) {
    const System *s = &m->motion;
    if (i >= TOUCHES) return switching_argument(s, m->numbers[AT_TIME], i - TOUCHES);
    call_shape(s, m->numbers + AT_X, m->numbers + AT_V);
    return gap_of(s, i) - 0.5 * TOUCH;
}

static double gap_rate(const System *s, Index n, const double *v) {
    double rate = 0.0;
    Index k = I(touch_strain)[n];
    for (Index e = I(shape_slopes_start)[k]; e < I(shape_slopes_start)[k + 1]; e++)
        rate += R(shape_out)[I(shape_slopes_source)[e]] * v[I(shape_slopes_column)[e]];
    return rate;
}

static void model_step_completed(Model *m) {
    follow_motion(&m->motion, m->numbers + AT_X, m->numbers + AT_V);
    m->fresh = 0;
}

/* an event of the importing program: a gap that closes remembers the velocity of approach */
static void model_event(Model *m) {
    const System *s = &m->motion;
    double *d = m->numbers;
    model_step_completed(m);
    call_shape(s, d + AT_X, d + AT_V);
    for (Index n = 0; n < TOUCHES; n++) {
        double rate = gap_rate(s, n, d + AT_V), gap = gap_of(s, n);
        if (d[AT_SIDE + n] > 0.0 && rate < 0.0 && gap < TOUCH && gap > -LOCATED) R(number)[TOUCH_MEMORY[n]] = -rate;
        if (fabs(gap) > LOCATED) d[AT_SIDE + n] = gap < 0.0 ? -1.0 : 1.0;
        else d[AT_SIDE + n] = rate < 0.0 ? -1.0 : 1.0;
    }
}
