import { api, endpoints } from '@voisol/contract'
import type { Endpoint } from '@voisol/contract/endpoint'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { formatEndpoint } from './access-bodies.ts'
import { call } from './client.ts'
import { STORAGE_PERIOD } from './factories-energy.ts'
import { makeNamedPointsFixture, type NamedPoints } from './factories-point-names.ts'
import { useServer } from './server.ts'

const server = useServer()
const world = {} as Awaited<ReturnType<typeof makeNamedPointsFixture>> // filled before the first test
beforeAll(async () => {
  Object.assign(world, await makeNamedPointsFixture(server))
})

type Ask = () => { params?: object; query?: object; body?: object }
const operation = () => ({ params: { id: world.operationId } })
const run = () => ({ params: { id: world.runId } })
const first = () => world.seats[0]?.id
const period = () => ({ query: { ...STORAGE_PERIOD, operationId: world.operationId } })
const month = '2025-03-01'
const person = () => world.seats.find(({ label }) => label === 'Maison')?.holderId

/** Calls that give each answer with meters. */
const CHECKED_CALLS: [Endpoint, Ask][] = [
  [api.participants.list, () => ({})],
  [api.participants.get, () => ({ params: { id: person() } })],
  [api.points.list, () => ({})],
  [api.points.get, () => ({ params: { id: first() } })],
  [api.curves.matrix, period],
  [api.curves.getImport, () => ({ params: { id: world.importId } })],
  [api.allocations.completeness, run],
  [api.allocations.points, run],
  [api.allocations.steps, () => ({ params: { id: world.runId, day: STORAGE_PERIOD.from } })],
  [api.allocations.difference, run],
  [api.effects.preview, () => ({ body: { kind: 'adopt', id: world.key.id, body: { version: world.key.version } } })],
  [api.energy.summary, period],
  [api.energy.members, period],
  [api.energy.producers, period],
  [api.energy.flow, period],
  [api.operations.overview, operation],
  [api.why.get, () => ({ params: { id: person() }, query: { operationId: world.operationId, month } })],
  [api.reconciliation.rows, () => ({ ...operation(), query: { month } })],
  [api.sync.windows, () => ({ params: { id: world.taskId } })],
  [api.sync.errors, () => ({})],
  [api.sync.standing, operation],
  [api.distributorFiles.events, () => ({})],
  [api.supplierBills.list, () => ({})],
  [api.takeovers.readings, () => ({ query: { operationId: world.operationId } })],
  [api.plants.economies, period],
]
const FILES: [string, Endpoint, Ask][] = [
  ['participants', api.participants.export, () => ({ query: { format: 'csv' } })],
  ['the points of a run', api.allocations.export, () => ({ ...run(), query: { level: 'points', format: 'csv' } })],
  ['the flows of a run', api.allocations.export, () => ({ ...run(), query: { level: 'pairs', format: 'csv' } })],
  ['members', api.energy.membersExport, () => ({ query: { ...period().query, format: 'csv' } })],
  ['differences', api.reconciliation.export, () => ({ ...operation(), query: { month, format: 'csv' } })],
  ['errors of calls', api.sync.exportErrors, () => ({ query: { format: 'csv' } })],
]
/**
 * Meters that are not points of a company: candidates of a project, applicants, lists of the distributor; own points to
 * leave are listed with their operation; a list of files has none. A document belongs to its buyer, and names each
 * meter once with its dwelling.
 */
const WITHOUT_OWN_METERS =
  /^\/api\/(projects\/|enedis\/agreements\/|curve-imports$|invoices\/:id$|billing\/months\/|applications(\/:id)?$|portal\/departures$)/

test('every answer with a meter number is checked below', () => {
  const numbers = (e: Endpoint) =>
    '_zod' in e.response && /"prms?":/.test(JSON.stringify(z.toJSONSchema(e.response, { unrepresentable: 'any' })))
  const read = endpoints
    .filter((e) => e.method === 'GET' && numbers(e) && !WITHOUT_OWN_METERS.test(e.path))
    .map(formatEndpoint)
  expect(read.filter((one) => !CHECKED_CALLS.some(([e]) => formatEndpoint(e) === one))).toEqual([])
})

type Fault = { at: string; why: string }
type Seat = NamedPoints[number]
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
const own = (value: object) =>
  Object.values(value).filter((one) => !isObject(one) || (Array.isArray(one) && !isObject(one[0])))
const text = (values: unknown[]) => values.flat().join('\n')
const within = (value: object): string => text([...own(value), ...Object.values(value).filter(isObject).map(within)])

function findNamingFaults(seat: Seat, value: object, around: string): string[] {
  const [here, all] = [text(own(value)), `${around}\n${within(value)}`]
  const numbered = here.includes(seat.prm)
  if (!numbered && !here.includes(seat.label)) return []
  return [
    ...(all.includes(seat.label) ? [] : ['no dwelling']),
    ...(all.includes(seat.holder) ? [] : ['no holder']),
    ...(seat.storage && 'direction' in value && !('storage' in value && value.storage === true)
      ? ['a battery not called so']
      : []),
  ]
}

/** Where an object contains one of number, dwelling and holder, it or its context must contain the others. */
function walk(value: unknown, at: string, around = ''): Fault[] {
  if (Array.isArray(value)) return value.flatMap((one) => walk(one, `${at}[]`, around))
  if (!isObject(value)) return []
  const here = world.seats.flatMap((seat) => findNamingFaults(seat, value, around)).map((why) => ({ at, why }))
  const inside = `${around}\n${text(own(value))}`
  // A problem concerns a line of a file; its point is named with the curve.
  const parts = Object.entries(value).filter(([key]) => key !== 'problems')
  return [...here, ...parts.flatMap(([key, one]) => walk(one, `${at}.${key}`, inside))]
}
const formatFaults = (faults: Fault[]) => [...new Set(faults.map(({ at, why }) => `${at}: ${why}`))]

describe('a dwelling, its holder and its number appear together, and a battery as one', () => {
  test.each(CHECKED_CALLS.map(([e, ask]) => [formatEndpoint(e), e, ask] as const))('%s', async (_, e, ask) => {
    const { status, body, text: sent } = await call(server, e, ask() as object, { token: world.token })
    expect(status, sent).toBe(200)
    expect(world.seats.some(({ prm, label }) => sent.includes(prm) || sent.includes(label))).toBe(true)
    expect(formatFaults(walk(body, ''))).toEqual([])
  })

  test.each(FILES)('the file of %s names them together', async (_, e, ask) => {
    const { status, text: sent } = await call(server, e, ask() as object, { token: world.token })
    expect(status, sent).toBe(200)
    const lines = sent.split('\n').filter((line) => world.seats.some(({ prm }) => line.includes(prm)))
    expect(lines.length).toBeGreaterThan(2)
    for (const line of lines)
      for (const { prm, label, holder, storage } of world.seats.filter((seat) => line.includes(seat.prm))) {
        expect(
          [prm, label, holder].filter((part) => !line.includes(part)),
          line,
        ).toEqual([])
        if (storage) expect(line).not.toMatch(/\b(Consommation|Production|Consommateur|Producteur)\b/)
      }
  })
})
