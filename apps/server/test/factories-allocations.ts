import { allocations } from '@voisol/contract/allocations'
import { effects } from '@voisol/contract/effects'
import { keys } from '@voisol/contract/keys'
import { listDays } from '@voisol/energy/calendar'
import type { Db } from '../src/db/client.ts'
import { allocationRuns, keys as keysTable } from '../src/db/schema/index.ts'
import { storeReadingsAndNotify } from '../src/features/energy/curves/store.ts'
import { call, type TestServer } from './client.ts'
import { makeUser } from './factories.ts'
import { buildCurveDay, makeMeter } from './factories-curves.ts'
import { makeOperation } from './factories-operations.ts'
import { waitUntil } from './wait.ts'

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
let count = 0
