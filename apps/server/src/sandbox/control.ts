import { z } from 'zod'
import { type SimulatorResponse, toJsonResponse } from './answers.ts'
import { getSimulatorNow } from './clock.ts'
import {
  ClockSetting,
  DeclaredReading,
  QuotaLimits,
  SimulatedAgreement,
  SimulatedConsent,
  SimulatedFault,
  SimulatedPoint,
  type SimulatorState,
} from './schemas.ts'
import type { EnedisSimulatorParts } from './serve.ts'

type StateChange = (state: SimulatorState, body: unknown) => void

/** A new declaration replaces the earlier one with the same key. */
function mergeByKey<T>(held: T[], given: T[], keyOf: (one: T) => string): T[] {
  return [...new Map([...held, ...given].map((one) => [keyOf(one), one])).values()]
}

const STATE_CHANGES: Record<string, StateChange> = {
  'PUT clock': (state, body) => {
    const { now } = ClockSetting.parse(body)
    state.ahead = now === null ? 0 : Date.parse(now) - Date.now()
  },
  'PUT quotas': (state, body) => {
    state.quotas = QuotaLimits.nullable().parse(body)
  },
  'PUT faults': (state, body) => {
    state.faults = z
      .array(SimulatedFault)
      .parse(body)
      .map((fault) => ({ ...fault, seen: 0, used: 0 }))
  },
  'DELETE faults': (state) => {
    state.faults = []
  },
  'PUT points': (state, body) => {
    state.points = mergeByKey(
      state.points,
      z.array(SimulatedPoint).parse(body),
      ({ prm, direction }) => `${prm} ${direction}`,
    )
  },
  'PUT agreements': (state, body) => {
    state.agreements = mergeByKey(state.agreements, z.array(SimulatedAgreement).parse(body), ({ acc }) => acc)
  },
  'PUT consents': (state, body) => {
    const given = z.union([SimulatedConsent.transform((one) => [one]), z.array(SimulatedConsent)]).parse(body)
    state.consents = mergeByKey(state.consents, given, ({ prm }) => prm)
  },
  'PUT readings': (state, body) => {
    const keyOf = ({ prm, direction, day, watts, from }: z.output<typeof DeclaredReading>) =>
      `${prm} ${direction} ${day} ${watts === null ? 'late' : from}`
    state.readings = mergeByKey(state.readings, z.array(DeclaredReading).parse(body), keyOf)
  },
}

function getControlState({ store, quotas, counters }: EnedisSimulatorParts) {
  const { tokens, points, readings, ...shown } = store.state
  return {
    now: new Date(getSimulatorNow(store)).toISOString(),
    ...shown,
    quotas: quotas.limits(),
    points: points.length,
    readings: readings.length,
    tokens: tokens.length,
    counters,
    most: quotas.most,
  }
}

/** Calls allowed only from this machine: clock, faults and points of the simulator. */
export function handleControl(
  parts: EnedisSimulatorParts,
  method: string,
  name: string,
  body: string,
): SimulatorResponse {
  const { store, world, agreements, quotas } = parts
  if (method === 'GET' && name === 'state') return toJsonResponse(getControlState(parts))
  const change = STATE_CHANGES[`${method} ${name}`]
  if (!change && !(method === 'DELETE' && name === 'state'))
    return toJsonResponse({ message: `no ${method} ${name}` }, 404)
  try {
    if (change) change(store.state, body ? JSON.parse(body) : undefined)
    else store.reset()
  } catch (error) {
    return toJsonResponse({ message: error instanceof z.ZodError ? z.prettifyError(error) : String(error) }, 400)
  }
  store.save()
  world.changed()
  agreements.changed()
  if (name === 'quotas' || name === 'state') quotas.forget()
  return toJsonResponse({ now: new Date(getSimulatorNow(store)).toISOString() })
}
