package io.waybill.proof.explore;

import java.util.List;
import java.util.Map;

/**
 * What an exploration showed.
 *
 * @param scope what was explored
 * @param states distinct states
 * @param transitions choices taken
 * @param engineStates distinct states of a relay's engine
 * @param depth of the deepest state that was looked at
 * @param complete whether there are no more states
 * @param broken broken promises, with the number of states where it happens
 * @param histories a shortest history for each broken promise
 * @param actions how often each action was taken
 */
record Exploration(
    Scope scope,
    int states,
    long transitions,
    int engineStates,
    int depth,
    boolean complete,
    Map<String, Integer> broken,
    Map<String, List<String>> histories,
    Map<Action, Long> actions) {}
