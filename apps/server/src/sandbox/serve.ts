import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Agreements } from './agreements.ts'
import { type Answer, json, Refusal, refuse } from './answers.ts'
import { momentOf, nowOf } from './clock.ts'
import { DEFORMED, type Deformed } from './deform.ts'
import { nextFault } from './faults.ts'
import { measure } from './measures.ts'
import { address, perimeter, services } from './others.ts'
import { MONTH_PLANTS, type MonthPlant } from './plant-months.ts'
import type { Quotas } from './quotas.ts'
import { type Resource, resourceOf } from './resources.ts'
import type { Store } from './store.ts'
import { bearerOf, clientOf, endToken, invalidCredentials, signIn } from './tokens.ts'
import { type Silence, trouble } from './troubled.ts'
import type { World } from './world.ts'

export type Counters = { calls: number; byPath: Record<string, number>; byStatus: Record<string, number> }
export type Parts = { store: Store; world: World; quotas: Quotas; agreements: Agreements; counters: Counters }
export type Call = { method: string; path: string; query: URLSearchParams; body: string; request: IncomingMessage }

const TOKEN = '/oauth2/v3/token'
const NOT_FOUND = {
  fault: { code: 404, type: 'Status report', message: 'Runtime Error', description: 'No matching resource' },
}

/** The point a call is about, wherever it is said. */
function prmOf({ query, body }: Call, { values }: Resource): string {
  return (
    query.get('pointId') ??
    query.get('usage_point_id') ??
    values.prm ??
    query.get('prm') ??
    /"pointId"\s*:\s*"(\d+)"/.exec(body)?.[1] ??
    ''
  )
}

type How = Deformed | MonthPlant
const deformedOf = (how: How | undefined) => DEFORMED.find((one) => one === how)
const plantOf = (how: How | undefined) => MONTH_PLANTS.find((one) => one === how)

async function answer(parts: Parts, call: Call, resource: Resource, how?: How): Promise<Answer> {
  const { world, agreements, store } = parts
  const { query, body } = call
  const moment = momentOf(nowOf(store))
  const { values, measure: wanted } = resource
  if (wanted) {
    const named = (fresh: string, old: string) => query.get(wanted.form === 'new' ? fresh : old) ?? ''
    const asked = { from: named('dateDebut', 'start'), to: named('dateFin', 'end') }
    return measure(world, { ...wanted, prm: named('pointId', 'usage_point_id'), ...asked }, moment, deformedOf(how))
  }
  switch (resource.other) {
    case 'perimeter':
      return perimeter(world, moment, body)
    case 'services':
      return services(world, moment, body)
    case 'address':
      return address(world, values.prm ?? '')
    default:
      return agreements.answer(resource, { query, body, moment, plant: plantOf(how) })
  }
}

const refused = (resource: Resource, error: unknown): Answer => {
  if (!(error instanceof Refusal)) throw error
  return refuse(resource.voice, error)
}

/** One call of the interfaces, from its token to its answer. */
export async function serve(parts: Parts, call: Call): Promise<Answer | Silence> {
  const { store, quotas } = parts
  const { method, path, body, request } = call
  const { authorization } = request.headers
  if (method === 'POST' && path === TOKEN) {
    const fault = nextFault(store, { path, prm: '', signIn: true })
    const enter = async () => signIn(store, body, authorization)
    return fault ? trouble(fault, 'old', nowOf(store), enter) : enter()
  }
  if (method === 'POST' && path === '/oauth2/v3/revoke') {
    endToken(store, new URLSearchParams(body).get('token') ?? '')
    return json({})
  }
  const resource = resourceOf(method, path)
  if (!resource) return json(NOT_FOUND, 404)
  const token = bearerOf(authorization)
  const client = clientOf(store, token)
  if (!client) return invalidCredentials()
  const over = quotas.take(client, resource.other ? 'gateway' : resource.voice)
  if (over) return over
  const reply = (how?: How) => answer(parts, call, resource, how).catch((error: unknown) => refused(resource, error))
  const fault = nextFault(store, { path, prm: prmOf(call, resource), signIn: false })
  if (!fault) return reply()
  if (fault.kind === 'token-expired') endToken(store, token)
  return trouble(fault, resource.voice, nowOf(store), reply)
}

export function send(response: ServerResponse, { status, body, headers, html }: Answer) {
  const bytes = Buffer.from(body)
  response.writeHead(status, {
    'content-type': html ? 'text/html; charset=utf-8' : 'application/json;charset=UTF-8',
    'content-length': bytes.length,
    ...headers,
  })
  response.end(bytes)
}
