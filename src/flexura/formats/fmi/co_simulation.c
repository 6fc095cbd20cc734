/* Integration of a model over a communication step: explicit steps of Dormand and Prince of order 8 under error
   control, each brought back to the constraints and ended at touches. */

static double weight(const Model *m, Index k, double before, double now) {
    double size = fabs(before) > fabs(now) ? fabs(before) : fabs(now);
    return m->numbers[AT_TOLERANCE] * (SCALE[k] + size);
}

/* sum of the squares of a difference of two methods against the tolerance */
static double difference(const Model *m, const double *weights, double h) {
    const System *s = &m->motion;
    const double *x = m->numbers + AT_X, *v = m->numbers + AT_V, *a = m->numbers + AT_A;
    double total = 0.0;
    for (Index n = 0; n < ROWS(free); n++) {
        Index k = I(free)[n];
        double dx = weights[STAGES] * v[k], dv = weights[STAGES] * a[k];
        for (int j = 0; j < STAGES; j++) {
            dx += weights[j] * m->vs[j][k];
            dv += weights[j] * m->as[j][k];
        }
        dx *= h / weight(m, k, m->x0[k], x[k]);
        dv *= h / weight(m, k, m->v0[k], v[k]);
        total += dx * dx + dv * dv;
    }
    return total;
}

/* one step of Dormand and Prince from the saved start; its error, which is not finite where it fails */
static double attempt(Model *m, double t, double h) {
    double *d = m->numbers, *x = d + AT_X, *v = d + AT_V, *a = d + AT_A, high, low;
    const System *s = &m->motion;
    memcpy(m->vs[0], m->v0, COORDINATES * sizeof(double));
    memcpy(m->as[0], m->a0, COORDINATES * sizeof(double));
    for (int i = 1; i < STAGES; i++) {
        for (int k = 0; k < COORDINATES; k++) {
            double dx = 0.0, dv = 0.0;
            for (int j = 0; j < i; j++) {
                dx += METHOD_A[i * STAGES + j] * m->vs[j][k];
                dv += METHOD_A[i * STAGES + j] * m->as[j][k];
            }
            m->xs[k] = m->x0[k] + h * dx;
            m->vs[i][k] = m->v0[k] + h * dv;
            m->as[i][k] = 0.0;
        }
        accelerate(s, t + METHOD_C[i] * h, m->xs, m->vs[i], m->as[i], d + AT_STRESS);
    }
    memcpy(x, m->x0, COORDINATES * sizeof(double));
    memcpy(v, m->v0, COORDINATES * sizeof(double));
    for (int j = 0; j < STAGES; j++)
        for (int k = 0; k < COORDINATES; k++) {
            x[k] += h * METHOD_B[j] * m->vs[j][k];
            v[k] += h * METHOD_B[j] * m->as[j][k];
        }
    if (!project(s, t + h, x, v, a, 1e-12)) return INFINITY;
    accelerate(s, t + h, x, v, a, d + AT_STRESS);
    high = difference(m, METHOD_ERROR, h);
    low = difference(m, METHOD_ERROR_LOW, h);
    if (high > 0.0 && low > 0.0) high *= high / (high + 0.01 * low);
    return sqrt(high / (ROWS(free) ? 2.0 * (double)ROWS(free) : 1.0));
}

/* fraction of the step at the first touch, by regula falsi on repeated steps; 1 where there is none */
static double first_touch(Model *m, double t, double h) {
    const System *s = &m->motion;
    double *d = m->numbers, part = 1.0;
    call_shape(s, d + AT_X, d + AT_V);
    for (Index n = 0; n < TOUCHES; n++) {
        double side = d[AT_SIDE + n], low = 0.0, high = part, f_low, f_high, theta = part;
        call_shape(s, d + AT_X, d + AT_V);
        f_high = gap_of(s, n) * side - 0.5 * TOUCH;
        if (f_high + 0.5 * TOUCH >= 0.0) continue;
        call_shape(s, m->x0, m->v0);
        f_low = gap_of(s, n) * side - 0.5 * TOUCH;
        if (f_low <= 0.5 * TOUCH) continue;
        for (int round = 0; round < 60; round++) {
            double f;
            theta = (low * f_high - high * f_low) / (f_high - f_low);
            attempt(m, t, theta * h);
            call_shape(s, d + AT_X, d + AT_V);
            f = gap_of(s, n) * side - 0.5 * TOUCH;
            if (fabs(f) <= 0.25 * TOUCH || high - low < 1e-14) break;
            if (f < 0.0) {
                high = theta;
                f_high = f;
                f_low *= 0.5;
            } else {
                low = theta;
                f_low = f;
                f_high *= 0.5;
            }
        }
        part = theta;
    }
    return part;
}

/* on which side a gap at the touch goes on, by its rate */
static void change_sides(Model *m) {
    const System *s = &m->motion;
    const double *v = m->numbers + AT_V;
    call_shape(s, m->numbers + AT_X, v);
    for (Index n = 0; n < TOUCHES; n++) {
        double *side = m->numbers + AT_SIDE + n;
        if (gap_of(s, n) * *side <= TOUCH) *side = gap_rate(s, n, v) < 0.0 ? -1.0 : 1.0;
    }
}

/* a first step size, from the sizes of state and rates [HairerNorsettWanner1993, II.4] */
static double first_step(const Model *m, double h) {
    const System *s = &m->motion;
    const double *d = m->numbers;
    double state = 0.0, rates = 0.0;
    for (Index n = 0; n < ROWS(free); n++) {
        Index k = I(free)[n];
        double x = d[AT_X + k], v = d[AT_V + k], a = d[AT_A + k], wx = weight(m, k, x, x), wv = weight(m, k, v, v);
        state += x * x / (wx * wx) + v * v / (wv * wv);
        rates += v * v / (wx * wx) + a * a / (wv * wv);
    }
    if (state > 1e-10 && rates > 1e-10 && 0.01 * sqrt(state / rates) < h) return 0.01 * sqrt(state / rates);
    return h;
}

static void save_start(Model *m) {
    memcpy(m->x0, m->numbers + AT_X, COORDINATES * sizeof(double));
    memcpy(m->v0, m->numbers + AT_V, COORDINATES * sizeof(double));
    memcpy(m->a0, m->numbers + AT_A, COORDINATES * sizeof(double));
}

static void restore_start(Model *m) {
    memcpy(m->numbers + AT_X, m->x0, COORDINATES * sizeof(double));
    memcpy(m->numbers + AT_V, m->v0, COORDINATES * sizeof(double));
    memcpy(m->numbers + AT_A, m->a0, COORDINATES * sizeof(double));
}

/* over a time in which inputs and loads are smooth; a message where the motion cannot be followed */
static const char *advance_smoothly(Model *m, double t, double end) {
    double *d = m->numbers, smallest = 1e-14 * (fabs(end) > end - t ? fabs(end) : end - t);
    const System *s = &m->motion;
    int again = 0;
    while (end - t > smallest) {
        double left = end - t, wanted = d[AT_STEP], h = left > (1.0 + 1e-6) * wanted ? wanted : left, error, part, factor;
        save_start(m);
        error = attempt(m, t, h);
        if (!(error <= 1.0)) {
            restore_start(m);
            factor = error < 1e9 ? 0.9 * pow(error, -1.0 / 8.0) : 0.2;
            d[AT_STEP] = h * (factor > 0.2 ? factor : 0.2);
            again = 1;
            if (d[AT_STEP] < smallest) {
                d[AT_TIME] = t;
                return "the step size has become too small: the position is singular, or a law is not finite";
            }
            continue;
        }
        part = TOUCHES ? first_touch(m, t, h) : 1.0;
        if (part < 1.0 && part * h > smallest) h *= part;
        else if (part < 1.0) attempt(m, t, h);
        t = h == left ? end : t + h;
        if (part == 1.0) {
            /* proportional and integral control [HairerNorsettWanner1993, II.4] */
            factor = 0.85 * pow(error > 1e-10 ? error : 1e-10, -0.7 / 8.0) * pow(d[AT_ERROR], 0.4 / 8.0);
            factor = factor < 0.2 ? 0.2 : factor > 6.0 ? 6.0 : factor;
            if ((again || h < wanted) && factor > 1.0) factor = 1.0;
            d[AT_STEP] = (h > wanted ? h : wanted) * factor;
            d[AT_ERROR] = error > 1e-4 ? error : 1e-4;
        }
        again = 0;
        follow_motion(s, d + AT_X, d + AT_V);
        if (TOUCHES) change_sides(m);
        /* the law on the other side of a touch, and numbers that have changed */
        if (TOUCHES || ROWS(track_target)) accelerate(s, t, d + AT_X, d + AT_V, d + AT_A, d + AT_STRESS);
    }
    return NULL;
}

/* first time after a discontinuity of inputs and loads, of those between two times; infinite where there is none */
static double next_break(const Model *m, double t, double end) {
    const System *s = &m->motion;
    double first = INFINITY;
    for (int i = 0; i < TIME_BREAKS; i++)
        for (int samples = 64, k = 0, found = 0; k < samples && !found; k++) {
            double low = t + (end - t) * k / samples, high = k + 1 == samples ? end : t + (end - t) * (k + 1) / samples;
            int side = switching_argument(s, low, i) > 0.0;
            if (low >= first || (switching_argument(s, high, i) > 0.0) == side) continue;
            for (double middle = 0.5 * (low + high); middle > low && middle < high; middle = 0.5 * (low + high)) {
                if ((switching_argument(s, middle, i) > 0.0) == side) low = middle;
                else high = middle;
            }
            found = 1;
            if (high < first) first = high;
        }
    return first;
}

/* the constraints and the accelerations at a time at which inputs or loads may have jumped */
static void start_anew(Model *m, double t) {
    double *d = m->numbers;
    const System *s = &m->motion;
    if (ROWS(driven_coordinate) + ROWS(driven_row)) settle(s, t, d + AT_X, d + AT_V, d + AT_A, d + AT_STRESS, 12);
    else accelerate(s, t, d + AT_X, d + AT_V, d + AT_A, d + AT_STRESS);
}

/* over a communication step; a message where that fails, with the state before the failing step */
static const char *model_advance(Model *m, double t, double length) {
    double *d = m->numbers, end = t + length;
    if (!(length > 0.0)) return length == 0.0 ? NULL : "the communication step is negative";
    place_inputs(m, t);
    start_anew(m, t);
    m->fresh = 0;
    if (d[AT_STEP] == 0.0) {
        d[AT_STEP] = first_step(m, length);
        d[AT_ERROR] = 1e-4;
    }
    for (;;) {
        double at = TIME_BREAKS ? next_break(m, t, end) : INFINITY;
        const char *message = advance_smoothly(m, t, at < end ? nextafter(at, t) : end);
        if (message) return message;
        if (!(at < end)) break;
        t = at;
        start_anew(m, t);
        if (d[AT_STEP] > first_step(m, length)) d[AT_STEP] = first_step(m, length);
    }
    d[AT_TIME] = end;
    return NULL;
}
