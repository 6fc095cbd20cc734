/* Equations of motion of a system, its constraints, and the observation of its forces and strains. */

/* signals of time: driven coordinates and strains, distributed loads */
static void drive(const System *s, double t, double *x, double *v, double *a) {
    double *r = R(program_registers);
    if (!I(driven_stop)[1]) return;
    r[0] = t;
    run(s, 0, I(driven_stop)[0]);
    for (Index i = 0; i < ROWS(driven_coordinate); i++) {
        Index c = I(driven_coordinate)[i];
        const Index *at = I(driven_coordinate_register) + 3 * i;
        x[c] = r[at[0]];
        v[c] = r[at[1]];
        a[c] = r[at[2]];
    }
    for (Index i = 0; i < ROWS(driven_row); i++) {
        Index k = I(driven_row)[i];
        const Index *at = I(driven_row_register) + 3 * i;
        R(rows_position)[k] = r[at[0]];
        R(rows_velocity)[k] = r[at[1]];
        R(rows_acceleration)[k] = r[at[2]];
    }
    for (Index i = 0; i < ROWS(driven_body); i++) {
        Index place = I(driven_body)[2 * i];
        R(motion_extra)[place] = R(driven_body_base)[place] + r[I(driven_body)[2 * i + 1]] * R(driven_body_length)[i];
    }
}

static double rate_of(const System *s, Index k, const double *v) {
    double rate = 0.0;
    for (Index e = I(slopes_start)[k]; e < I(slopes_start)[k + 1]; e++)
        rate += R(motion_out)[I(slopes_source)[e]] * v[I(slopes_column)[e]];
    return rate;
}

/* loads that follow signals */
static void feed_back(const System *s, const double *x, const double *v) {
    double *r = R(program_registers);
    for (Index i = 0; i < ROWS(feedback_signal); i++) {
        const Index *row = I(feedback_signal) + 4 * i;
        Index k = row[1];
        if (row[0] == 0) r[row[3]] = row[2] == 0 ? x[k] : v[k];
        else r[row[3]] = row[2] == 0 ? R(motion_out)[I(slopes_strain)[k]] : rate_of(s, k, v);
    }
    for (Index i = 0; i < ROWS(feedback_followed); i++)
        r[I(feedback_followed)[2 * i + 1]] = R(number)[I(feedback_followed)[2 * i]];
    run(s, I(feedback_span)[0], I(feedback_span)[1]);
    call_laws(s, s->stress, 0);
}

static void find_stresses(const System *s, const double *x, const double *v, double *stress) {
    double *r = R(program_registers);
    feed_back(s, x, v);
    for (Index i = 0; i < ROWS(rows_strain); i++) stress[I(rows_strain)[i]] = 0.0;
    for (Index n = 0; n < ROWS(laws_needed); n++) {
        Index k = I(laws_needed)[n];
        R(strain)[k] = R(motion_out)[I(slopes_strain)[k]];
        if (I(laws_rated)[0]) R(rate)[k] = rate_of(s, k, v);
    }
    for (Index n = 0; n < ROWS(laws_strain); n++) {
        double total = R(laws_preload)[n];
        for (Index e = I(laws_start)[n]; e < I(laws_start)[n + 1]; e++) {
            Index k = I(laws_other)[e];
            total += R(laws_stiffness)[e] * R(strain)[k] + R(laws_damping)[e] * R(rate)[k];
        }
        stress[I(laws_strain)[n]] = total;
    }
    for (Index n = 0; n < ROWS(laws_program); n++) {
        const Index *row = I(laws_program) + 6 * n;
        Index k = I(laws_strain)[row[0]];
        r[1] = R(strain)[k];
        r[2] = R(rate)[k];
        run(s, row[1], row[2]);
        stress[k] += r[row[3]];
    }
    for (Index n = 0; n < ROWS(driven_load_law); n++)
        stress[I(laws_strain)[I(driven_load_law)[2 * n]]] -= r[I(driven_load_law)[2 * n + 1]];
}

/* masses and held strains, with squares of strains where the mass alone is not regular */
static void fill_matrix(const System *s) {
    const double *out = R(motion_out);
    double *values = R(factors_values);
    memset(values, 0, (size_t)R_ROWS(factors_values) * sizeof(double));
    for (Index i = 0; i < ROWS(mass_source); i++) values[I(mass_target)[i]] += out[I(mass_source)[i]];
    for (Index i = 0; i < ROWS(rows_entries_source); i++)
        values[I(rows_entries_target)[i]] += out[I(rows_entries_source)[i]];
    for (Index n = 0; n < ROWS(augmented_row); n++) {
        Index c = I(augmented_target_start)[n];
        for (Index i = I(augmented_start)[n]; i < I(augmented_start)[n + 1]; i++) {
            double part = R(augmented_weight)[n] * out[I(augmented_source)[i]];
            for (Index j = i; j < I(augmented_start)[n + 1]; j++)
                values[I(augmented_target)[c++]] += part * out[I(augmented_source)[j]];
        }
    }
}

/* accelerations and stresses at a state; the factors stay for projections */
static void accelerate(const System *s, double t, double *x, double *v, double *a, double *stress) {
    const double *out = R(motion_out);
    double *z = R(z);
    drive(s, t, x, v, a);
    call_motion(s, x, v);
    find_stresses(s, x, v, stress);
    fill_matrix(s);
    memset(z, 0, (size_t)R_ROWS(z) * sizeof(double));
    for (Index i = 0; i < ROWS(force_source); i++) z[I(force_target)[i]] -= out[I(force_source)[i]];
    for (Index n = 0; n < ROWS(laws_strain); n++) {
        Index k = I(laws_strain)[n];
        for (Index e = I(slopes_start)[k]; e < I(slopes_start)[k + 1]; e++)
            if (I(slopes_target)[e] >= 0) z[I(slopes_target)[e]] -= out[I(slopes_source)[e]] * stress[k];
    }
    for (Index i = 0; i < ROWS(driven_load_coordinate); i++) {
        Index place = I(coordinate_place)[I(driven_load_coordinate)[i]];
        if (place >= 0) z[place] += R(program_registers)[I(driven_load_register)[i]];
    }
    for (Index r = 0; r < ROWS(rows_place); r++)
        z[I(rows_place)[r]] = R(rows_acceleration)[r] - out[I(rows_convection)[r]];
    for (Index i = 0; i < ROWS(coupling_source); i++)
        z[I(coupling_target)[i]] -= out[I(coupling_source)[i]] * a[I(coupling_other)[i]];
    for (Index n = 0; n < ROWS(augmented_row); n++) {
        double demand = R(augmented_weight)[n] * z[I(rows_place)[I(augmented_row)[n]]];
        for (Index i = I(augmented_start)[n]; i < I(augmented_start)[n + 1]; i++)
            z[I(augmented_place)[i]] += out[I(augmented_source)[i]] * demand;
    }
    factorise_and_solve(s, z);
    for (Index i = 0; i < ROWS(free); i++) a[I(free)[i]] = z[I(place)[i]];
    for (Index r = 0; r < ROWS(rows_place); r++) stress[I(rows_strain)[r]] += z[I(rows_place)[r]];
}

/* ---- constraints ------------------------------------------------------------------------------------------------ */

/* errors of the held strains, or of their rates, as right-hand side; the largest against its scale */
static double constraint_errors(const System *s, const double *v, int rates, const double *out, const Index *strain,
                                const Index *start, const Index *source, const Index *column) {
    double worst = 0.0, *z = R(z);
    memset(z, 0, (size_t)R_ROWS(z) * sizeof(double));
    for (Index r = 0; r < ROWS(rows_place); r++) {
        Index k = I(rows_strain)[r];
        double error = rates ? -R(rows_velocity)[r] : out[strain[k]] - R(rows_position)[r];
        if (rates)
            for (Index e = start[k]; e < start[k + 1]; e++) error += out[source[e]] * v[column[e]];
        z[I(rows_place)[r]] = -error;
        error = fabs(error) / R(rows_scale)[r];
        if (!(error <= worst)) worst = error;
    }
    return worst;
}

#define SHAPE_ERRORS(rates)                                                                                            \
    constraint_errors(s, v, rates, R(shape_out), I(shape_slopes_strain), I(shape_slopes_start), I(shape_slopes_source), \
                      I(shape_slopes_column))
#define MOTION_ERRORS(rates)                                                                                           \
    constraint_errors(s, v, rates, R(motion_out), I(slopes_strain), I(slopes_start), I(slopes_source), I(slopes_column))

static void correct(const System *s, double *values, double factor) {
    solve(s, R(z));
    for (Index i = 0; i < ROWS(free); i++) values[I(free)[i]] += factor * R(z)[I(place)[i]];
}

static double close_position(const System *s, double *x, double *v) {
    double worst;
    call_shape(s, x, v);
    worst = SHAPE_ERRORS(0);
    if (worst > 0.0) correct(s, x, 1.0);
    return worst;
}

static double close_velocity(const System *s, double *v) {
    double worst = SHAPE_ERRORS(1);
    if (worst > 0.0) correct(s, v, 1.0);
    return worst;
}

/* back to the held strains with the factors at hand; 0 where that fails */
static int project(const System *s, double t, double *x, double *v, double *a, double tolerance) {
    double previous = INFINITY;
    int round;
    if (!ROWS(rows_place)) return 1;
    drive(s, t, x, v, a);
    for (round = 0; round < 12; round++) {
        double error = close_position(s, x, v);
        if (!(error < INFINITY)) return 0;
        if (error <= tolerance || (error <= 1e3 * tolerance && error >= 0.5 * previous)) break;
        previous = error;
    }
    if (round == 12) return 0;
    for (round = 0; round < 3; round++)
        if (close_velocity(s, v) <= 1e-15) break;
    return 1;
}

/* Newton to the held strains, with new factors as long as it is far away; ends evaluated, returns the last error */
static double settle(const System *s, double t, double *x, double *v, double *a, double *stress, int most) {
    double error = INFINITY, previous;
    for (int round = 0; round < most; round++) {
        if (!(error < 1e-9)) accelerate(s, t, x, v, a, stress);
        if (!ROWS(rows_place)) return 0.0;
        previous = error;
        error = close_position(s, x, v);
        if (!(error < INFINITY) || error <= 1e-15 || (error < 1e-10 && error >= 0.5 * previous)) break;
    }
    if (!(error < 1e-9)) accelerate(s, t, x, v, a, stress);
    call_shape(s, x, v);
    close_velocity(s, v);
    close_velocity(s, v);
    accelerate(s, t, x, v, a, stress);
    return error;
}

/* ---- observation ------------------------------------------------------------------------------------------------ */

/* forces on coordinates: reactions where they are known, else loads; displayed forces among the stresses */
static void find_forces(const System *s, const double *a, double *stress, double *force) {
    const double *out = R(motion_out), *registers = R(program_registers);
    memset(force, 0, (size_t)ROWS(coordinate_place) * sizeof(double));
    for (Index i = 0; i < ROWS(reactions_mass_source); i++)
        force[I(reactions_mass_target)[i]] += out[I(reactions_mass_source)[i]] * a[I(reactions_mass_other)[i]];
    for (Index i = 0; i < ROWS(reactions_force_source); i++)
        force[I(reactions_force_target)[i]] += out[I(reactions_force_source)[i]];
    for (Index i = 0; i < ROWS(reactions_slope_source); i++)
        force[I(reactions_slope_target)[i]] += out[I(reactions_slope_source)[i]] * stress[I(reactions_slope_other)[i]];
    for (Index i = 0; i < ROWS(free); i++) force[I(free)[i]] = 0.0;
    for (Index i = 0; i < ROWS(driven_load_coordinate); i++) {
        Index c = I(driven_load_coordinate)[i];
        double load = registers[I(driven_load_register)[i]];
        force[c] += I(coordinate_place)[c] >= 0 ? load : -load;
    }
    if (ROWS(feedback_shown)) {
        call_laws(s, s->displayed, 2);
        for (Index i = 0; i < ROWS(feedback_shown); i++)
            stress[I(feedback_shown)[2 * i]] = -registers[I(feedback_shown)[2 * i + 1]];
    }
}

/* a strain or its first or second derivative, after accelerate */
static double strain_of(const System *s, Index k, Index order, const double *v, const double *a) {
    double total;
    if (order == 0) return R(motion_out)[I(slopes_strain)[k]];
    if (order == 1) return rate_of(s, k, v);
    total = R(motion_out)[I(slopes_convection)[k]];
    for (Index e = I(slopes_start)[k]; e < I(slopes_start)[k + 1]; e++)
        total += R(motion_out)[I(slopes_source)[e]] * a[I(slopes_column)[e]];
    return total;
}

/* force or torque on an end in space, from the forces on its position and its Euler parameters e: f·δe with
   δe = ½ (0, δθ)∘e gives the torque about the axes of space; the row of the output has the axis, 0 for a torque about
   the axes of space, 1 about those of the end, 2 for a force along these, then coordinates and the strain of a load */
static double end_force(const long long *row, const double *x, const double *force, const double *stress) {
    const long long *c = row + 3;
    double e0 = x[c[3]], f0 = force[c[3]], e[3], f[3], given[3], cross[3], twice[3];
    for (int i = 0; i < 3; i++) {
        e[i] = x[c[4 + i]];
        f[i] = force[c[4 + i]];
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        given[i] = row[2] == 2 ? force[c[i]] : 0.5 * (e0 * f[i] - f0 * e[i] - f[j] * e[k] + f[k] * e[j]);
    }
    if (row[2]) {
        /* turned back by the orientation */
        for (int i = 0; i < 3; i++) cross[i] = e[(i + 1) % 3] * given[(i + 2) % 3] - e[(i + 2) % 3] * given[(i + 1) % 3];
        for (int i = 0; i < 3; i++) twice[i] = e[(i + 1) % 3] * cross[(i + 2) % 3] - e[(i + 2) % 3] * cross[(i + 1) % 3];
        for (int i = 0; i < 3; i++) given[i] += 2.0 * (twice[i] - e0 * cross[i]);
    }
    return given[row[1]] - (row[10] >= 0 ? stress[row[10]] : 0.0);
}
