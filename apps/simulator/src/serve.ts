import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { AgreementService } from './agreements.ts'
import {
  ANSWER_ALTERATIONS,
  DEFORMATIONS,
  type Deformation,
  MONTH_ALTERATIONS,
  type MonthAlteration,
} from './alterations.ts'
import { answerAddress, answerMeasure, answerPerimeter, answerServices } from './answer-measures.ts'
import type { MeterRegistry } from './meter-registry.ts'
import { type ApiResource, findResource } from './resources.ts'
import {
  createQuotaResponse,
  createThrottledResponse,
  type RefusalStyle,
  SimulatedRefusal,
  type SimulatorResponse,
  toJsonResponse,
  toRefusalResponse,
} from './responses.ts'
import type { CountedFault } from './simulator-state.ts'
import { getSimulatorNow, type SimulatorStore, toMoment } from './simulator-store.ts'
import { findClientOfToken, issueToken, revokeSimulatorToken, type SimulatorQuotas } from './tokens-and-quotas.ts'

type CallCounters = { calls: number; byPath: Record<string, number>; byStatus: Record<string, number> }
export type EnedisSimulatorParts = {
  store: SimulatorStore
  world: MeterRegistry
  quotas: SimulatorQuotas
  agreements: AgreementService
  counters: CallCounters
}
type SimulatorCall = {
  method: string
  path: string
  query: URLSearchParams
  body: string
  request: IncomingMessage
}

const TOKEN_PATH = '/oauth2/v3/token'
const NOT_FOUND = {
  fault: { code: 404, type: 'Status report', message: 'Runtime Error', description: 'No matching resource' },
}

/** The point of a call, wherever it is given. */
function findPrmOfCall({ query, body }: SimulatorCall, { values }: ApiResource): string {
  return (
    query.get('pointId') ??
    query.get('usage_point_id') ??
    values.prm ??
    query.get('prm') ??
    /"pointId"\s*:\s*"(\d+)"/.exec(body)?.[1] ??
    ''
  )
}

type AnswerChange = Deformation | MonthAlteration
const findDeformation = (how: AnswerChange | undefined) => DEFORMATIONS.find((one) => one === how)
const findMonthAlteration = (how: AnswerChange | undefined) => MONTH_ALTERATIONS.find((one) => one === how)

async function answerResource(
  parts: EnedisSimulatorParts,
  call: SimulatorCall,
  resource: ApiResource,
  how?: AnswerChange,
): Promise<SimulatorResponse> {
  const { world, agreements, store } = parts
  const { query, body } = call
  const moment = toMoment(getSimulatorNow(store))
  const { values, measure: wanted } = resource
  if (wanted) {
    const readParameter = (fresh: string, old: string) => query.get(wanted.form === 'new' ? fresh : old) ?? ''
    const asked = { from: readParameter('dateDebut', 'start'), to: readParameter('dateFin', 'end') }
    return answerMeasure(
      world,
      { ...wanted, prm: readParameter('pointId', 'usage_point_id'), ...asked },
      moment,
      findDeformation(how),
    )
  }
  switch (resource.other) {
    case 'perimeter':
      return answerPerimeter(world, moment, body)
    case 'services':
      return answerServices(world, moment, body)
    case 'address':
      return answerAddress(world, values.prm ?? '')
    default:
      return agreements.answer(resource, { query, body, moment, plant: findMonthAlteration(how) })
  }
}

const toRefusal = (resource: ApiResource, error: unknown): SimulatorResponse => {
  if (!(error instanceof SimulatedRefusal)) throw error
  return toRefusalResponse(resource.voice, error)
}

const parseBearer = (authorization: string | undefined) => /^Bearer (\S+)$/.exec(authorization ?? '')?.[1] ?? ''

const createInvalidCredentialsResponse = (): SimulatorResponse =>
  toJsonResponse(
    { fault: { code: 900901, message: 'Invalid Credentials', description: 'Access failure for API' } },
    401,
  )

/** Handles one call, from its token to its answer. */
export async function answerCall(
  parts: EnedisSimulatorParts,
  call: SimulatorCall,
): Promise<SimulatorResponse | NoAnswer> {
  const { store, quotas } = parts
  const { method, path, body, request } = call
  const { authorization } = request.headers
  if (method === 'POST' && path === TOKEN_PATH) {
    const fault = takeNextFault(store, { path, prm: '', signIn: true })
    const enter = async () => issueToken(store, body, authorization)
    return fault ? applyFault(fault, 'old', getSimulatorNow(store), enter) : enter()
  }
  if (method === 'POST' && path === '/oauth2/v3/revoke') {
    revokeSimulatorToken(store, new URLSearchParams(body).get('token') ?? '')
    return toJsonResponse({})
  }
  const resource = findResource(method, path)
  if (!resource) return toJsonResponse(NOT_FOUND, 404)
  const token = parseBearer(authorization)
  const client = findClientOfToken(store, token)
  if (!client) return createInvalidCredentialsResponse()
  const over = quotas.take(client, resource.other ? 'gateway' : resource.voice)
  if (over) return over
  const reply = (how?: AnswerChange) =>
    answerResource(parts, call, resource, how).catch((error: unknown) => toRefusal(resource, error))
  const fault = takeNextFault(store, { path, prm: findPrmOfCall(call, resource), signIn: false })
  if (!fault) return reply()
  if (fault.kind === 'token-expired') revokeSimulatorToken(store, token)
  return applyFault(fault, resource.voice, getSimulatorNow(store), reply)
}

export function sendResponse(response: ServerResponse, { status, body, headers, html }: SimulatorResponse) {
  const bytes = Buffer.from(body)
  response.writeHead(status, {
    'content-type': html ? 'text/html; charset=utf-8' : 'application/json;charset=UTF-8',
    'content-length': bytes.length,
    ...headers,
  })
  response.end(bytes)
}

/** No answer, or the end of the connection. */
type NoAnswer = 'hang' | 'cut'
const SECOND = 1000
const NEXT_ACCESS_S = 30
const DEFAULT_SLOW_SECONDS = 1

const createDeniedRefusal = (voice: RefusalStyle) =>
  voice === 'old'
    ? new SimulatedRefusal(403, 'unauthorized_user', 'user is not authorized to access this resource')
    : new SimulatedRefusal(403, 'SGT403', 'Le client n’est pas autorisé pour le point demandé')
const createNoDataRefusal = (voice: RefusalStyle) =>
  voice === 'old'
    ? new SimulatedRefusal(404, 'no_data_found', 'no measure found for this usage point')
    : new SimulatedRefusal(404, 'SGT404', 'Pas de mesure trouvée pour ce point')
const createTechnicalRefusal = (voice: RefusalStyle) =>
  new SimulatedRefusal(500, voice === 'old' ? 'technical_error' : 'ADAM-DC-0500', 'Technical error. Please try later.')

/** `busy` says when to retry, in seconds or as a date of the simulator's clock. */
const createBusyResponse = (kind: string, seconds: number, now: number): SimulatorResponse => ({
  status: 503,
  body: UNAVAILABLE_PAGE,
  html: true,
  headers: { 'retry-after': kind === 'busy' ? String(seconds) : new Date(now + seconds * SECOND).toUTCString() },
})
const FORBIDDEN_PAGE =
  '<html><head><title>403 Forbidden</title></head><body>Accès refusé par la passerelle</body></html>'
const UNAVAILABLE_PAGE =
  '<html><head><title>503 Service Unavailable</title></head><body><h1>Service Unavailable</h1></body></html>'

type AnswerAlteration = (typeof ANSWER_ALTERATIONS)[number]

type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

type JsonChange = (name: string, value: Json) => Json

/** Applies the change to every value, innermost first. */
function mapJson(value: Json, change: JsonChange, name = ''): Json {
  if (Array.isArray(value))
    return change(
      name,
      value.map((one) => mapJson(one, change)),
    )
  if (typeof value !== 'object' || value === null) return change(name, value)
  return change(name, Object.fromEntries(Object.entries(value).map(([own, one]) => [own, mapJson(one, change, own)])))
}

const VALUES = new Set(['v', 'value'])

const POINTS = new Set(['idPrm', 'usage_point_id', 'cons_id', 'prod_id', 'pointId'])

const DATES = new Set(['d', 'date', 'startDate', 'endDate', 'start', 'end', 'dateDebut', 'dateFin'])

const STEPS = new Set(['p', 'interval_length', 'step'])

const LISTS = new Set(['points', 'interval_reading', 'quantities', 'usage_points'])

const UNITS: Record<string, string> = { W: 'kW', Wh: 'kWh', kWh: 'MWh' }

/** A string stays a string. */
const multiplyValue = (value: Json, by: number): Json =>
  typeof value === 'string'
    ? value === ''
      ? ''
      : String(Number(value) * by)
    : typeof value === 'number'
      ? value * by
      : value

const getOtherPrm = (prm: string) => `${prm.slice(0, -1)}${(Number(prm.at(-1)) + 1) % 10}`

const shiftYearBack = (text: string) => text.replace(/^\d{4}/, (year) => String(Number(year) - 1))

const isNamed = (one: Json) => typeof one === 'object' && one !== null && !Array.isArray(one) && 'name' in one

const shiftOffStep = (text: string) =>
  text.replace(
    /:(\d\d):00(Z?)$/,
    (_, minute, zone) => `:${String((Number(minute) + 7) % 60).padStart(2, '0')}:00${zone}`,
  )

const JSON_CHANGES: Record<AnswerAlteration, JsonChange> = {
  tripled: (name, value) => (VALUES.has(name) ? multiplyValue(value, 3) : value),
  negative: (name, value) => (VALUES.has(name) ? multiplyValue(value, -1) : value),
  'empty-value': (name, value) => (VALUES.has(name) ? '' : value),
  'other-point': (name, value) => (POINTS.has(name) && typeof value === 'string' ? getOtherPrm(value) : value),
  'other-year': (name, value) => (DATES.has(name) && typeof value === 'string' ? shiftYearBack(value) : value),
  'dropped-class': (name, value) =>
    name === 'quantities' && Array.isArray(value) && value.length > 1 && value.every(isNamed)
      ? value.slice(0, -1)
      : value,
  empty: (name, value) => (LISTS.has(name) && Array.isArray(value) ? [] : value),
  kilo: (name, value) => {
    if (VALUES.has(name)) return multiplyValue(value, 0.001)
    return (name === 'unit' || name === 'unite') && typeof value === 'string' ? (UNITS[value] ?? value) : value
  },
  'wrong-step': (name, value) => (STEPS.has(name) ? (value === 'PT30M' ? 'PT15M' : 'PT30M') : value),
  'off-step': (name, value) => (DATES.has(name) && typeof value === 'string' ? shiftOffStep(value) : value),
  descending: (name, value) => (LISTS.has(name) && Array.isArray(value) ? value.toReversed() : value),
}

function alterAnswer(kind: AnswerAlteration, answer: SimulatorResponse): SimulatorResponse {
  if (answer.status !== 200 || answer.html) return answer
  return { ...answer, body: JSON.stringify(mapJson(JSON.parse(answer.body), JSON_CHANGES[kind])) }
}

/** Computes the answer only when needed. */
async function applyFault(
  { kind, used, seconds }: CountedFault,
  voice: RefusalStyle,
  now: number,
  answer: (how?: Deformation | MonthAlteration) => Promise<SimulatorResponse>,
): Promise<SimulatorResponse | NoAnswer> {
  const how = [...DEFORMATIONS, ...MONTH_ALTERATIONS].find((one) => one === kind)
  if (how) return answer(how)
  const planted = ANSWER_ALTERATIONS.find((one) => one === kind)
  if (planted) return alterAnswer(planted, await answer())
  const plain: RefusalStyle = voice === 'gateway' ? 'new' : voice
  switch (kind) {
    case 'q3':
    case 'q4':
      return createQuotaResponse(kind === 'q3' ? 'Q3' : 'Q4', now + (kind === 'q3' ? SECOND : 3600 * SECOND))
    case 'throttled':
      return createThrottledResponse(now + (seconds ?? NEXT_ACCESS_S) * SECOND)
    case '401':
    case 'token-expired':
      return createInvalidCredentialsResponse()
    case '403':
      return toRefusalResponse(plain, createDeniedRefusal(plain))
    case '403-html':
      return { status: 403, body: FORBIDDEN_PAGE, html: true }
    case 'busy':
    case 'busy-date':
      return createBusyResponse(kind, seconds ?? NEXT_ACCESS_S, now)
    case 'no-data':
      return toRefusalResponse(plain, createNoDataRefusal(plain))
    case '500':
      return toRefusalResponse(plain, createTechnicalRefusal(plain))
    case '503-html':
      return { status: 503, body: UNAVAILABLE_PAGE, html: true }
    case 'hostile':
      return createHostileResponse(used - 1)
    case 'timeout':
      return 'hang'
    case 'reset':
      return 'cut'
    case 'slow':
      await wait((seconds ?? DEFAULT_SLOW_SECONDS) * SECOND)
      return answer()
    default: {
      const whole = await answer()
      return { ...whole, body: whole.body.slice(0, Math.floor(whole.body.length / 2)) }
    }
  }
}

const HUGE_LENGTH = 9_000_000
const DEEP_LEVELS = 50_000

const toOkResponse = (body: string): SimulatorResponse => ({ status: 200, body })
const points = (point: object) =>
  JSON.stringify({
    idPrm: '00000000000000',
    meter_reading: { usage_point_id: '00000000000000', interval_reading: [{ ...point, interval_length: 'PT15M' }] },
    grandeur: [{ points: [point] }],
  })

/** Malicious or broken answers, served in turn. */
const HOSTILE_RESPONSES: (() => SimulatorResponse)[] = [
  () => toOkResponse(`{"idPrm":"${'9'.repeat(HUGE_LENGTH)}"}`),
  () =>
    toOkResponse(
      `{"grandeur":${'['.repeat(DEEP_LEVELS)}${']'.repeat(DEEP_LEVELS)},"meter_reading":${'['.repeat(DEEP_LEVELS)}${']'.repeat(DEEP_LEVELS)}}`,
    ),
  () =>
    toOkResponse(
      '{"idPrm":{"__proto__":{"admin":true}},"grandeur":"aucune","meter_reading":[],"series":7,"quantities":{}}',
    ),
  () =>
    toOkResponse(
      points({ v: '-540', d: '2026-03-12 00:15:00', p: 'PT15M', value: '-540', date: '2026-03-12 00:15:00' }),
    ),
  () => ({
    ...toOkResponse('<!doctype html><html><body>Service momentanément indisponible</body></html>'),
    html: true,
  }),
  () => toOkResponse(points({ v: '1e400', d: '9999-99-99 99:99:99', p: 'PT15M', value: 'NaN', date: 'demain' })),
  () =>
    toOkResponse(points({ v: '540', d: '2026-03-12 00:15:00', p: 'PT15M', value: '540', date: '2026-03-12 00:15:00' })),
]

const createHostileResponse = (turn: number): SimulatorResponse =>
  (HOSTILE_RESPONSES[turn % HOSTILE_RESPONSES.length] ?? (() => toOkResponse('null')))()

type FaultContext = { path: string; prm: string; signIn: boolean }

function isConcerned(fault: CountedFault, { path, prm, signIn }: FaultContext, now: number): boolean {
  if (fault.times !== undefined && fault.used >= fault.times) return false
  if (fault.prm !== undefined && fault.prm !== prm) return false
  if (fault.path === undefined ? signIn : !path.includes(fault.path)) return false
  if (fault.from !== undefined && now < Date.parse(fault.from)) return false
  return fault.to === undefined || now < Date.parse(fault.to)
}

/** The first fault that applies; every matching fault counts the call. */
function takeNextFault(store: SimulatorStore, called: FaultContext): CountedFault | undefined {
  if (!store.state.faults.length) return undefined
  const now = getSimulatorNow(store)
  let found: CountedFault | undefined
  for (const fault of store.state.faults) {
    if (found || !isConcerned(fault, called, now)) continue
    fault.seen++
    if (fault.every !== undefined && fault.seen % fault.every !== 0) continue
    fault.used++
    found = fault
  }
  store.saveSoon()
  return found
}
