import { allocations } from '@voisol/contract/allocations'
import type { Consent } from '@voisol/contract/consents'
import { effects } from '@voisol/contract/effects'
import { keys } from '@voisol/contract/keys'
import { listDays, stepsOfDay } from '@voisol/energy/calendar'
import type { Step } from '@voisol/energy/series'
import type { PointDayReadings } from '../src/core/readings.ts'
import type { Db } from '../src/db/client.ts'
import {
  allocationRuns,
  consents,
  keys as keysTable,
  operations,
  participants,
  participations,
  points,
} from '../src/db/schema/index.ts'
import { storeReadingsAndNotify } from '../src/features/energy/curves/store-readings.ts'
import { call, type TestServer } from './client.ts'
import { makeUser } from './factories.ts'
import { waitUntil } from './wait.ts'

let count = 0

/** An operation inserted into the database, without members. */
export async function makeOperation(
  db: Db,
  { companyId, ...more }: { companyId: number } & Partial<typeof operations.$inferInsert>,
) {
  const name = `Les Tilleuls ${++count}`
  const [operation] = await db
    .insert(operations)
    .values({ companyId, name, status: 'active', ...more })
    .returning()
  if (!operation) throw new Error('no operation')
  return operation
}

/** The body of the documented call: one plant, three homes. */
export const buildOperationDraft = (first = ++count * 10) => ({
  name: 'Les Jardins de Brossolette',
  address: '12 rue Pierre-Brossolette',
  capacity: 36.5,
  participants: [
    { ...buildHolder('Copropriété Brossolette'), kind: 'organisation', ...buildPlantFields(first) },
    ...[1, 2, 3].map((n) => ({
      ...buildHolder(`Voisin ${first + n}`),
      ...buildPrmField(first + n),
      ...buildPlaceNearby(n),
    })),
  ],
})
const buildHolder = (name: string) => ({ name, kind: 'organisation' })
const buildPrmField = (n: number) => ({ prm: `191257${String(n).padStart(8, '0')}` })
const buildPlaceNearby = (n: number) => ({ latitude: 45.76 + n / 1000, longitude: 4.85 })
const buildPlantFields = (n: number) => ({
  ...buildPrmField(n),
  direction: 'production',
  peakWatts: 36_000,
  ...buildPlaceNearby(0),
})

type CompanyFields = { companyId: number }
const requireRow = <T>(rows: T[]): T => {
  const [row] = rows
  if (!row) throw new Error('nothing was inserted')
  return row
}

export const makeParticipant = async (db: Db, more: CompanyFields & Partial<typeof participants.$inferInsert>) => {
  const lastName = `Participant ${++count}`
  const names = { kind: 'person', name: `Sacha ${lastName}`, firstName: 'Sacha', lastName }
  return requireRow(
    await db
      .insert(participants)
      .values({ ...names, ...more })
      .returning(),
  )
}

/** Each with a PRM of its own. */
export const makePoint = async (db: Db, more: CompanyFields & Partial<typeof points.$inferInsert>) => {
  const prm = `1900000${String(++count).padStart(7, '0')}`
  const direction = more.direction ?? 'consumption'
  const segment = direction === 'production' ? 'P4' : 'C5'
  return requireRow(
    await db
      .insert(points)
      .values({ prm, direction, segment, ...more })
      .returning(),
  )
}

type MakeParticipationInput = CompanyFields & { operationId: string } & Partial<typeof participations.$inferInsert>

/** With its own participant and point by default. */
export const makeParticipation = async (db: Db, { companyId, ...more }: MakeParticipationInput) => {
  const participantId = more.participantId ?? (await makeParticipant(db, { companyId })).id
  const pointId = more.pointId ?? (await makePoint(db, { companyId })).id
  const startsOn = '2025-01-01'
  return requireRow(
    await db
      .insert(participations)
      .values({ startsOn, ...more, companyId, participantId, pointId })
      .returning(),
  )
}

type MakeMeterInput = {
  companyId: number
  operationId?: string
  userId?: string
  startsOn?: string
  endsOn?: string | null
} & Partial<typeof points.$inferInsert>

/** A point with its holder; with an operation, also its participation. */
export async function makeMeter(db: Db, { companyId, operationId, userId, startsOn, endsOn, ...more }: MakeMeterInput) {
  const prm = `3000000${String(++count).padStart(7, '0')}`
  const row = { companyId, prm, direction: 'consumption', segment: 'C5', ...more }
  const [point] = await db.insert(points).values(row).returning()
  const person = { companyId, kind: 'person', name: `Voisin ${count}`, ...(userId && { userId }) }
  const [participant] = await db.insert(participants).values(person).returning()
  if (!point || !participant) throw new Error('no meter')
  if (operationId)
    await db.insert(participations).values({
      companyId,
      operationId,
      pointId: point.id,
      participantId: participant.id,
      startsOn: startsOn ?? '2025-01-01',
      endsOn: endsOn ?? null,
    })
  return point
}

/** A whole day: one constant value, or one per step. */
export function buildCurveDay(
  pointId: string,
  day: string,
  value: number | ((at: number, day: string) => number),
  step: Step = 15,
): PointDayReadings {
  const watts = Int32Array.from({ length: stepsOfDay(day, step) }, (_, at) =>
    typeof value === 'number' ? value : value(at, day),
  )
  return { pointId, day, step, watts, marks: null, quality: 1 }
}

type WattsFunction = number | ((at: number, day: string) => number)
type MeterInput = {
  watts: WattsFunction
  /** Days without readings. */
  silent?: (day: string) => boolean
  label?: string
  startsOn?: string
  endsOn?: string
  prm?: string
  /** Whether it is one direction of a battery. */
  storage?: boolean
}
type OperationFixtureInput = {
  from: string
  to: string
  producers: (WattsFunction | MeterInput)[]
  consumers: (WattsFunction | MeterInput)[]
  stepMinutes?: 15 | 30 | 60
  companyId?: number
  isAdmin?: boolean
}

const toMeterInput = (meter: WattsFunction | MeterInput): MeterInput =>
  typeof meter === 'object' ? meter : { watts: meter }

/** An operation with its points and readings, and an administrator. */
export async function makeOperationFixture(server: TestServer, scene: OperationFixtureInput) {
  const { db } = server
  const admin = await makeUser(db, scene.companyId ? { companyId: scene.companyId } : {})
  const { companyId } = admin
  const operation = await makeOperation(db, { companyId, stepMinutes: scene.stepMinutes ?? 15 })
  const add = async (meter: MeterInput, direction: string) => {
    const { watts, silent = () => false, ...more } = meter
    const point = await makeMeter(db, { companyId, operationId: operation.id, direction, ...more })
    await storeReadingsAndNotify(
      db,
      companyId,
      listDays(scene.from, scene.to)
        .filter((day) => !silent(day))
        .map((day) => buildCurveDay(point.id, day, watts)),
      { source: 'api', receivedAt: new Date() },
    )
    return point
  }
  const [producers, consumers] = [[], []] as Awaited<ReturnType<typeof add>>[][] // filled below, in order
  for (const meter of scene.producers) producers?.push(await add(toMeterInput(meter), 'production'))
  for (const meter of scene.consumers) consumers?.push(await add(toMeterInput(meter), 'consumption'))
  return { admin, companyId, operation, producers: producers ?? [], consumers: consumers ?? [], token: admin.token }
}

type KeyShare = { pointId: string; producerId?: string; share?: number; rank?: number }
type KeyInput = { method: string; startsOn?: string; shares?: KeyShare[]; decimals?: number }
type OperationWithToken = { operation: { id: string }; token: string }

export async function requestKeyDraft(server: TestServer, { operation, token }: OperationWithToken, key: KeyInput) {
  const body = { startsOn: '2025-01-01', shares: [], ...key }
  return call(server, keys.create, { params: { id: operation.id }, body }, { token })
}

/** The preview token of a change to computed days. */
export async function requestImpactPreview(
  server: TestServer,
  change: object,
  token: string,
): Promise<{ shown?: string }> {
  const { shown } = (await call(server, effects.preview, { body: change }, { token })).body
  return shown ? { shown } : {}
}

export async function requestKeyAdoption(server: TestServer, place: OperationWithToken, key: KeyInput) {
  const { body } = await requestKeyDraft(server, place, key)
  const { token } = place
  const { id, version } = body
  const seen = await requestImpactPreview(server, { kind: 'adopt', id, body: { version } }, token)
  return call(server, keys.adopt, { params: { id }, body: { version, ...seen } }, { token })
}

type StartRunInput = {
  from: string
  to: string
  kind?: string
  estimated?: boolean
  estimateBy?: string
  signOff?: { reason: string }
}

export const requestAllocationRun = (
  server: TestServer,
  { operation, token }: OperationWithToken,
  wanted: StartRunInput,
) =>
  call(server, allocations.start, { params: { id: operation.id }, body: { kind: 'provisional', ...wanted } }, { token })

/** Starts a run and waits for its end. */
export async function runAllocation(server: TestServer, place: OperationWithToken, wanted: StartRunInput) {
  const started = await requestAllocationRun(server, place, wanted)
  if (started.status !== 200) throw new Error(started.text)
  return waitUntil(async () => {
    const { body } = await call(server, allocations.get, { params: { id: started.body.id } }, { token: place.token })
    return (body.status === 'done' || body.status === 'failed') && body
  })
}

type OperationFields = { companyId: number; operationId: string }

/** A key version inserted into the database. */
export async function makeKey(db: Db, more: OperationFields & Partial<typeof keysTable.$inferInsert>) {
  const values = { number: ++count, method: 'default', status: 'draft', startsOn: '2025-01-01', ...more }
  const [row] = await db.insert(keysTable).values(values).returning()
  if (!row) throw new Error('no key')
  return row
}

/** A finished run inserted into the database, without figures. */
export async function makeRun(db: Db, more: OperationFields & Partial<typeof allocationRuns.$inferInsert>) {
  const counts = { steps: 0, excluded: 0, consumerMissing: 0, producerMissing: 0, noKey: 0, defaulted: 0, estimated: 0 }
  const totals = { produced: 0, consumed: 0, allocated: 0, surplus: 0, complement: 0 }
  const state = { kind: 'provisional', status: 'done', progress: 100, engineVersion: '1.0.0', counts, totals }
  const period = { startsOn: '2025-01-01', endsOn: '2025-02-01' }
  const [row] = await db
    .insert(allocationRuns)
    .values({ ...state, ...period, ...more })
    .returning()
  if (!row) throw new Error('no run')
  return row
}

/** Paper consents with a long validity; their ids, in the order of the participants. */
export async function makeConsents(
  db: Db,
  companyId: number,
  participantIds: string[],
  purpose: Consent['purpose'] = 'comparison',
): Promise<string[]> {
  const given = { companyId, purpose, textVersion: '2026-01', method: 'paper', recordedBy: 'test' }
  const rows = await db
    .insert(consents)
    .values(
      participantIds.map((participantId) => ({
        ...given,
        participantId,
        givenAt: new Date('2025-01-01T09:00:00Z'),
        expiresOn: '2999-01-01',
      })),
    )
    .returning({ id: consents.id })
  return rows.map(({ id }) => id)
}

/** Three days, one of which has 92 quarters. */
export const STORAGE_PERIOD = { from: '2025-03-29', to: '2025-04-01' }
const BATTERY_PRM = '27500000000113'

const isBetween = (at: number, from: number, to: number) => at >= from && at < to
/** During sunshine the battery charges, and releases in the evening; for two quarters it does both. */
const getRoofWatts = (at: number) => (isBetween(at, 30, 66) ? 1_013 + 17 * (at % 5) : 0)
const getChargeWatts = (at: number) => (isBetween(at, 36, 60) ? 509 : 3)
const getReleaseWatts = (at: number) => (isBetween(at, 58, 60) || isBetween(at, 70, 84) ? 347 : 0)
const createHouseCurve = (watts: number) => (at: number) => watts + 11 * (at % 7)

/** A roof, two houses and a battery, which is the last producer and the last consumer. */
export function makeBatteryFixture(server: TestServer, stay: { endsOn?: string } = {}) {
  const battery = { label: 'Batterie du quai', prm: BATTERY_PRM, storage: true, ...stay }
  return makeOperationFixture(server, {
    ...STORAGE_PERIOD,
    producers: [
      { label: 'Toit', watts: getRoofWatts },
      { ...battery, watts: getReleaseWatts },
    ],
    consumers: [
      { label: 'Maison', watts: createHouseCurve(307) },
      { label: 'Atelier', watts: createHouseCurve(149) },
      { ...battery, watts: getChargeWatts },
    ],
  })
}

/** Energy in watt-minutes of a curve over the first days of the period. */
export function sumCurveEnergy(curve: 'roof' | 'charge' | 'release' | 'houses', quarters: number[]): number {
  const curves = {
    roof: [getRoofWatts],
    charge: [getChargeWatts],
    release: [getReleaseWatts],
    houses: [createHouseCurve(307), createHouseCurve(149)],
  }[curve]
  let sum = 0
  for (const steps of quarters) for (let at = 0; at < steps; at++) for (const one of curves) sum += one(at) * 15
  return sum
}
export const QUARTERS_BY_DAY = [96, 92, 96]
