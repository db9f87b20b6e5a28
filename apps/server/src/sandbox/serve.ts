import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AgreementService } from './agreements.ts'
import { SimulatedRefusal, type SimulatorResponse, toJsonResponse, toRefusalResponse } from './answers.ts'
import { getSimulatorNow, toMoment } from './clock.ts'
import { DEFORMATIONS, type Deformation } from './deform.ts'
import { takeNextFault } from './faults.ts'
import { answerMeasure } from './measures.ts'
import { answerAddress, answerPerimeter, answerServices } from './others.ts'
import { MONTH_ALTERATIONS, type MonthAlteration } from './plant-months.ts'
import type { SimulatorQuotas } from './quotas.ts'
import { type ApiResource, findResource } from './resources.ts'
import type { SimulatorStore } from './store.ts'
import {
  createInvalidCredentialsResponse,
  findClientOfToken,
  issueToken,
  parseBearer,
  revokeSimulatorToken,
} from './tokens.ts'
import { applyFault, type NoAnswer } from './troubled.ts'
import type { MeterRegistry } from './world.ts'

export type CallCounters = { calls: number; byPath: Record<string, number>; byStatus: Record<string, number> }
export type EnedisSimulatorParts = {
  store: SimulatorStore
  world: MeterRegistry
  quotas: SimulatorQuotas
  agreements: AgreementService
  counters: CallCounters
}
export type SimulatorCall = {
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
    const named = (fresh: string, old: string) => query.get(wanted.form === 'new' ? fresh : old) ?? ''
    const asked = { from: named('dateDebut', 'start'), to: named('dateFin', 'end') }
    return answerMeasure(
      world,
      { ...wanted, prm: named('pointId', 'usage_point_id'), ...asked },
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
