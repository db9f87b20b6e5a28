import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { z } from 'zod'
import { findResource } from './resources.ts'
import { type SimulatorResponse, toJsonResponse } from './responses.ts'
import { answerCall, type EnedisSimulatorParts, sendResponse } from './serve.ts'
import {
  ClockSetting,
  DeclaredReading,
  QuotaLimits,
  SimulatedAgreement,
  SimulatedConsent,
  SimulatedFault,
  SimulatedPoint,
  type SimulatorState,
} from './simulator-state.ts'
import { getSimulatorNow } from './simulator-store.ts'

const MAX_BODY_BYTES = 64_000_000
const LOOPBACK_ADDRESSES = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])
const CONTROL_PATH = '/_sandbox/'

async function readRequestBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request) {
    size += part.length
    if (size > MAX_BODY_BYTES) throw new Error('the body is too long')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** Paths without the identifiers of points. */
const maskIdentifiers = (path: string) => path.replace(/\d{14}|ACC\d{8}/g, '*')

async function handleRequest(
  parts: EnedisSimulatorParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = 'GET', url = '/' } = request
  const cut = url.indexOf('?')
  const path = cut < 0 ? url : url.slice(0, cut)
  const body = method === 'GET' ? '' : await readRequestBody(request)
  if (path.startsWith(CONTROL_PATH)) {
    if (!LOOPBACK_ADDRESSES.has(request.socket.remoteAddress ?? ''))
      return sendResponse(response, toJsonResponse({ message: 'not from here' }, 403))
    return sendResponse(response, handleControl(parts, method, path.slice(CONTROL_PATH.length), body))
  }
  const query = new URLSearchParams(cut < 0 ? '' : url.slice(cut + 1))
  const answer = await answerCall(parts, { method, path, query, body, request })
  const { counters } = parts
  const status = typeof answer === 'string' ? answer : String(answer.status)
  const name = findResource(method, path) ? `${method} ${maskIdentifiers(path)}` : 'others'
  counters.calls++
  counters.byPath[name] = (counters.byPath[name] ?? 0) + 1
  counters.byStatus[status] = (counters.byStatus[status] ?? 0) + 1
  if (answer === 'cut') request.socket.resetAndDestroy()
  // A call without an answer stays open until the client gives up.
  else if (answer !== 'hang') sendResponse(response, answer)
}

/** Resolves with the port it listens on. */
export async function listenEnedisSimulator(parts: EnedisSimulatorParts, host: string, port: number) {
  const server = createServer({ keepAliveTimeout: 60_000, requestTimeout: 0 }, (request, response) => {
    handleRequest(parts, request, response).catch((error: unknown) => {
      console.error(error)
      if (!response.headersSent) sendResponse(response, toJsonResponse({ message: String(error) }, 500))
    })
  })
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address()
  return { server, port: typeof address === 'object' && address ? address.port : port }
}

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
function handleControl(parts: EnedisSimulatorParts, method: string, name: string, body: string): SimulatorResponse {
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
