import { z } from 'zod'
import { type Answer, json } from './answers.ts'
import { nowOf } from './clock.ts'
import { Agreement, Clock, Consent, Fault, Point, Quotas, Reading, type Stored } from './schemas.ts'
import type { Parts } from './serve.ts'

type Change = (state: Stored, body: unknown) => void

/** The same thing said again replaces what was said before. */
function merge<T>(held: T[], given: T[], keyOf: (one: T) => string): T[] {
  return [...new Map([...held, ...given].map((one) => [keyOf(one), one])).values()]
}

const CHANGES: Record<string, Change> = {
  'PUT clock': (state, body) => {
    const { now } = Clock.parse(body)
    state.ahead = now === null ? 0 : Date.parse(now) - Date.now()
  },
  'PUT quotas': (state, body) => {
    state.quotas = Quotas.nullable().parse(body)
  },
  'PUT faults': (state, body) => {
    state.faults = z
      .array(Fault)
      .parse(body)
      .map((fault) => ({ ...fault, seen: 0, used: 0 }))
  },
  'DELETE faults': (state) => {
    state.faults = []
  },
  'PUT points': (state, body) => {
    state.points = merge(state.points, z.array(Point).parse(body), ({ prm, direction }) => `${prm} ${direction}`)
  },
  'PUT agreements': (state, body) => {
    state.agreements = merge(state.agreements, z.array(Agreement).parse(body), ({ acc }) => acc)
  },
  'PUT consents': (state, body) => {
    const given = z.union([Consent.transform((one) => [one]), z.array(Consent)]).parse(body)
    state.consents = merge(state.consents, given, ({ prm }) => prm)
  },
  'PUT readings': (state, body) => {
    const keyOf = ({ prm, direction, day, watts, from }: z.output<typeof Reading>) =>
      `${prm} ${direction} ${day} ${watts === null ? 'late' : from}`
    state.readings = merge(state.readings, z.array(Reading).parse(body), keyOf)
  },
}

function stateOf({ store, quotas, counters }: Parts) {
  const { tokens, points, readings, ...shown } = store.state
  return {
    now: new Date(nowOf(store)).toISOString(),
    ...shown,
    quotas: quotas.limits(),
    points: points.length,
    readings: readings.length,
    tokens: tokens.length,
    counters,
    most: quotas.most,
  }
}

/** What only the machine itself may ask: the clock, the troubles and the points of the sandbox. */
export function control(parts: Parts, method: string, name: string, body: string): Answer {
  const { store, world, agreements, quotas } = parts
  if (method === 'GET' && name === 'state') return json(stateOf(parts))
  const change = CHANGES[`${method} ${name}`]
  if (!change && !(method === 'DELETE' && name === 'state')) return json({ message: `no ${method} ${name}` }, 404)
  try {
    if (change) change(store.state, body ? JSON.parse(body) : undefined)
    else store.reset()
  } catch (error) {
    return json({ message: error instanceof z.ZodError ? z.prettifyError(error) : String(error) }, 400)
  }
  store.save()
  world.changed()
  agreements.changed()
  if (name === 'quotas' || name === 'state') quotas.forget()
  return json({ now: new Date(nowOf(store)).toISOString() })
}
