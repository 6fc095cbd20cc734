/* The functions of FMI 2.0 for model exchange and co-simulation. */

typedef struct {
    int newDiscreteStatesNeeded, terminateSimulation, nominalsChanged, valuesChanged, nextEventTimeDefined;
    double nextEventTime;
} EventInfo;

typedef struct {
    Logger2 logger;
    void *allocate, *release, *finished, *environment;
} Callbacks;

#define F2(name) EXPORT int fmi2##name
#define NONE2(name) F2(name)(void *c, const unsigned r[], size_t n, void *v) { return n ? fail(c, "all variables are real numbers") : OK; }

EXPORT const char *fmi2GetTypesPlatform(void) { return "default"; }
EXPORT const char *fmi2GetVersion(void) { return "2.0"; }
EXPORT void *fmi2Instantiate(const char *name, int kind, const char *token, const char *place, const Callbacks *f, int visible, int logging) {
    return instantiate(name, token, f ? f->logger : NULL, NULL, f ? f->environment : NULL);
}
EXPORT void fmi2FreeInstance(void *c) { release(c); }
F2(SetDebugLogging)(void *c, int on, size_t n, const char *const names[]) { return OK; }
F2(SetupExperiment)(void *c, int d, double tolerance, double t, int stop, double end) { return setup(c, d != 0, tolerance, t); }
F2(EnterInitializationMode)(void *c) { return OK; }
F2(ExitInitializationMode)(void *c) { return exit_initialisation(c); }
F2(Terminate)(void *c) { return OK; }
F2(Reset)(void *c) { return reset(c); }
F2(GetReal)(void *c, const unsigned r[], size_t n, double v[]) { return get(c, r, n, v); }
F2(SetReal)(void *c, const unsigned r[], size_t n, const double v[]) { return set(c, r, n, v); }
NONE2(GetInteger)
NONE2(SetInteger)
NONE2(GetBoolean)
NONE2(SetBoolean)
NONE2(GetString)
NONE2(SetString)
F2(GetFMUstate)(void *c, void **state) { return save(c, state); }
F2(SetFMUstate)(void *c, void *state) { return restore(c, state); }
F2(FreeFMUstate)(void *c, void **state) { return discard(state); }
F2(SerializedFMUstateSize)(void *c, void *state, size_t *n) { *n = STATE_BYTES; return OK; }
F2(SerializeFMUstate)(void *c, void *state, char bytes[], size_t n) { return write_state(c, state, bytes, n); }
F2(DeSerializeFMUstate)(void *c, const char bytes[], size_t n, void **state) { return read_state(c, bytes, n, state); }
F2(GetDirectionalDerivative)(void *c) { return fail(c, "directional derivatives are not provided"); }
F2(EnterEventMode)(void *c) { return enter_event(c); }
F2(NewDiscreteStates)(void *c, EventInfo *e) { memset(e, 0, sizeof *e); return OK; }
F2(EnterContinuousTimeMode)(void *c) { return OK; }
F2(CompletedIntegratorStep)(void *c, int n, int *event, int *end) { *event = *end = 0; return complete_step(c); }
F2(SetTime)(void *c, double t) { return set_time(c, t); }
F2(SetContinuousStates)(void *c, const double v[], size_t n) { return set_states(c, v, n); }
F2(GetDerivatives)(void *c, double v[], size_t n) { return get_rates(c, v, n); }
F2(GetEventIndicators)(void *c, double v[], size_t n) { return get_indicators(c, v, n); }
F2(GetContinuousStates)(void *c, double v[], size_t n) { return get_states(c, v, n); }
F2(GetNominalsOfContinuousStates)(void *c, double v[], size_t n) { return get_nominals(c, v, n); }
F2(SetRealInputDerivatives)(void *c, const unsigned r[], size_t n, const int o[], const double v[]) { return set_input_rates(c, r, n, o, v); }
F2(GetRealOutputDerivatives)(void *c, const unsigned r[], size_t n, const int o[], double v[]) { return n ? fail(c, "derivatives of outputs are not provided") : OK; }
F2(DoStep)(void *c, double t, double h, int keep) { return advance(c, t, h); }
F2(CancelStep)(void *c) { return fail(c, "steps are not cancelled"); }
F2(GetStatus)(void *c, int k, int *v) { return DISCARD; }
F2(GetRealStatus)(void *c, int k, double *v) { if (k != 2) return DISCARD; *v = *model_time(((Instance *)c)->model); return OK; }
F2(GetIntegerStatus)(void *c, int k, int *v) { return DISCARD; }
F2(GetBooleanStatus)(void *c, int k, int *v) { if (k != 3) return DISCARD; *v = 0; return OK; }
F2(GetStringStatus)(void *c, int k, const char **v) { return DISCARD; }
