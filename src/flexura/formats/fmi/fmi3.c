/* The functions of FMI 3.0 for model exchange and co-simulation. */

#define F3(name) EXPORT int fmi3##name
#define NONE3(name) F3(name)(void *c, const unsigned r[], size_t n) { return n ? fail(c, "all variables are of the type Float64") : OK; }
#define NEVER3(name) F3(name)(void *c) { return fail(c, "fmi3" #name " is not supported"); }

EXPORT const char *fmi3GetVersion(void) { return "3.0"; }
EXPORT void *fmi3InstantiateModelExchange(const char *name, const char *token, const char *place, bool visible, bool logging, void *environment, Logger3 log) {
    return instantiate(name, token, NULL, log, environment);
}
EXPORT void *fmi3InstantiateCoSimulation(const char *name, const char *token, const char *place, bool visible, bool logging, bool events, bool early,
                                         const unsigned r[], size_t n, void *environment, Logger3 log, void *update) {
    return instantiate(name, token, NULL, log, environment);
}
EXPORT void *fmi3InstantiateScheduledExecution(void) { return NULL; }
EXPORT void fmi3FreeInstance(void *c) { release(c); }
F3(SetDebugLogging)(void *c, bool on, size_t n, const char *const names[]) { return OK; }
F3(EnterInitializationMode)(void *c, bool d, double tolerance, double t, bool stop, double end) { return setup(c, d, tolerance, t); }
F3(ExitInitializationMode)(void *c) { return exit_initialisation(c); }
F3(EnterEventMode)(void *c) { return enter_event(c); }
F3(EnterStepMode)(void *c) { return OK; }
F3(Terminate)(void *c) { return OK; }
F3(Reset)(void *c) { return reset(c); }
F3(GetFloat64)(void *c, const unsigned r[], size_t n, double v[], size_t m) { return n == m ? get(c, r, n, v) : fail(c, "all variables are scalars"); }
F3(SetFloat64)(void *c, const unsigned r[], size_t n, const double v[], size_t m) { return n == m ? set(c, r, n, v) : fail(c, "all variables are scalars"); }
NONE3(GetFloat32) NONE3(GetInt8) NONE3(GetUInt8) NONE3(GetInt16) NONE3(GetUInt16) NONE3(GetInt32) NONE3(GetUInt32)
NONE3(GetInt64) NONE3(GetUInt64) NONE3(GetBoolean) NONE3(GetString) NONE3(GetBinary) NONE3(GetClock)
NONE3(SetFloat32) NONE3(SetInt8) NONE3(SetUInt8) NONE3(SetInt16) NONE3(SetUInt16) NONE3(SetInt32) NONE3(SetUInt32)
NONE3(SetInt64) NONE3(SetUInt64) NONE3(SetBoolean) NONE3(SetString) NONE3(SetBinary) NONE3(SetClock)
NEVER3(GetNumberOfVariableDependencies) NEVER3(GetVariableDependencies) NEVER3(GetDirectionalDerivative)
NEVER3(GetAdjointDerivative) NEVER3(EnterConfigurationMode) NEVER3(ExitConfigurationMode) NEVER3(GetIntervalDecimal)
NEVER3(GetIntervalFraction) NEVER3(GetShiftDecimal) NEVER3(GetShiftFraction) NEVER3(SetIntervalDecimal)
NEVER3(SetIntervalFraction) NEVER3(SetShiftDecimal) NEVER3(SetShiftFraction) NEVER3(GetOutputDerivatives)
NEVER3(ActivateModelPartition)
F3(GetFMUState)(void *c, void **state) { return save(c, state); }
F3(SetFMUState)(void *c, void *state) { return restore(c, state); }
F3(FreeFMUState)(void *c, void **state) { return discard(state); }
F3(SerializedFMUStateSize)(void *c, void *state, size_t *n) { *n = STATE_BYTES; return OK; }
F3(SerializeFMUState)(void *c, void *state, char bytes[], size_t n) { return write_state(c, state, bytes, n); }
F3(DeserializeFMUState)(void *c, const char bytes[], size_t n, void **state) { return read_state(c, bytes, n, state); }
F3(EvaluateDiscreteStates)(void *c) { return OK; }
F3(UpdateDiscreteStates)(void *c, bool *again, bool *end, bool *nominals, bool *values, bool *next, double *t) {
    *again = *end = *nominals = *values = *next = false;
    return OK;
}
F3(EnterContinuousTimeMode)(void *c) { return OK; }
F3(CompletedIntegratorStep)(void *c, bool keep, bool *event, bool *end) { *event = *end = false; return complete_step(c); }
F3(SetTime)(void *c, double t) { return set_time(c, t); }
F3(SetContinuousStates)(void *c, const double v[], size_t n) { return set_states(c, v, n); }
F3(GetContinuousStateDerivatives)(void *c, double v[], size_t n) { return get_rates(c, v, n); }
F3(GetEventIndicators)(void *c, double v[], size_t n) { return get_indicators(c, v, n); }
F3(GetContinuousStates)(void *c, double v[], size_t n) { return get_states(c, v, n); }
F3(GetNominalsOfContinuousStates)(void *c, double v[], size_t n) { return get_nominals(c, v, n); }
F3(GetNumberOfEventIndicators)(void *c, size_t *n) { *n = NZ; return OK; }
F3(GetNumberOfContinuousStates)(void *c, size_t *n) { *n = NX; return OK; }
F3(DoStep)(void *c, double t, double h, bool keep, bool *event, bool *end, bool *early, double *reached) {
    int status = advance(c, t, h);
    *event = *end = *early = false;
    *reached = *model_time(((Instance *)c)->model);
    return status;
}
