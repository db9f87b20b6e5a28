import { projects } from '@voisol/contract/projects'
import { reports } from '@voisol/contract/reports'
import { addDays, dayStart, listDays, stepsOfDay } from '@voisol/energy/calendar'
import { computePvWatts } from '@voisol/energy/model/pv'
import { createSky } from '@voisol/energy/model/weather'
import { eq } from 'drizzle-orm'
import type { Db } from '../src/db/client.ts'
import { insights, issuedForecasts, operations, regulatoryExports } from '../src/db/schema/index.ts'
import { storeReadingsAndNotify } from '../src/features/energy/curves/index.ts'
import { getToday } from '../src/today.ts'
import { call, type TestServer } from './client.ts'
import { makeUser } from './factories.ts'
import {
  buildCurveDay,
  makeMeter,
  makeOperation,
  makeOperationFixture,
  requestKeyAdoption,
  runAllocation,
} from './factories-energy.ts'

const LYON_COORDINATES = { latitude: 45.73, longitude: 4.83 }
const PLANT_PEAK_WATTS = 9000
const LYON_PANELS = { peakWatts: PLANT_PEAK_WATTS, azimuth: 180, tilt: 30, place: LYON_COORDINATES }

/** A plant under a sky, and a home that draws 400 W: `days` of readings until yesterday. */
export async function makeForecastFixture(server: TestServer, days: number) {
  const admin = await makeUser(server.db)
  const { companyId } = admin
  const operation = await makeOperation(server.db, { companyId, ...LYON_COORDINATES, stepMinutes: 30 })
  const at = { companyId, operationId: operation.id }
  const plant = await makeMeter(server.db, {
    ...at,
    direction: 'production',
    segment: 'P4',
    peakWatts: PLANT_PEAK_WATTS,
    ...LYON_COORDINATES,
  })
  const home = await makeMeter(server.db, at)
  const first = addDays(getToday(), -days)
  const watts = computePvWatts(
    LYON_PANELS,
    dayStart(first),
    (dayStart(getToday()) - dayStart(first)) / 30,
    30,
    createSky('essai', LYON_COORDINATES),
  )
  const made = (day: string, n: number) => watts[(dayStart(day) - dayStart(first)) / 30 + n] ?? 0
  const rows = listDays(first, getToday()).flatMap((day) => [
    buildCurveDay(plant.id, day, (n) => made(day, n), 30),
    buildCurveDay(home.id, day, 400, 30),
  ])
  await storeReadingsAndNotify(server.db, companyId, rows, { source: 'model', receivedAt: new Date() })
  return { ...admin, operationId: operation.id, plant, home, operation }
}

type IssuedForecastInput = {
  companyId: number
  operationId: string
  /** The point of a plant, for a forecast of that plant only. */
  subjectId?: string
  issuedOn: string
  kind?: string
  middle: number | ((hour: number) => number)
  spread?: number
  persistence?: number
  /** Percent by hour. */
  chance?: (hour: number) => number
}

/** A week by hour as if issued that morning: constant watts, plus or minus `spread`. */
export async function makeIssuedForecast(server: TestServer, input: IssuedForecastInput) {
  const { companyId, operationId, issuedOn, kind = 'production', middle, spread = 100, persistence = 0, chance } = input
  const steps = listDays(issuedOn, addDays(issuedOn, 7)).reduce((sum, day) => sum + stepsOfDay(day, 60), 0)
  const ints = (value: (at: number) => number, count = steps) =>
    Buffer.from(Int32Array.from({ length: count }, (_, at) => value(at)).buffer)
  const of = (at: number) => (typeof middle === 'number' ? middle : middle(at))
  const levels = [-spread, 0, spread]
  const watts = (at: number, off: number) => (of(at) < 0 ? -1 : Math.max(0, of(at) + off))
  const [row] = await server.db
    .insert(issuedForecasts)
    .values({
      companyId,
      operationId,
      subjectId: input.subjectId ?? operationId,
      kind,
      span: 'week',
      issuedOn,
      issuedAt: new Date(`${issuedOn}T04:10:00Z`),
      step: 60,
      steps,
      levels: [0.1, 0.5, 0.9],
      values: ints((at) => watts(at % steps, levels[Math.floor(at / steps)] ?? 0), 3 * steps),
      persistence: ints(() => persistence),
      source: Buffer.alloc(steps),
      chance: chance ? Buffer.from(Array.from({ length: steps }, (_, at) => chance(at))) : null,
      peakWatts: kind === 'consumption' ? null : PLANT_PEAK_WATTS,
      recipe: 'appris',
      version: 1,
      learntDays: 30,
    })
    .returning()
  if (!row) throw new Error('no forecast')
  return row
}

type InsightInput = { companyId: number; operationId: string } & Partial<typeof insights.$inferInsert>

export const INSIGHT_NUMBERS = {
  statistic: 17.3,
  threshold: 12,
  worth: 'plant',
  facts: { drop: 0.231, share: 0.75, neighbours: 3 },
  evidence: {
    axis: 'day',
    unit: 'kWh',
    labels: ['2026-05-11', '2026-05-12'],
    series: [
      { name: 'Mesuré', values: [31.7, null] },
      { name: 'Attendu d’après les voisines', values: [41.3, 39.9] },
    ],
  },
}

/** An open finding, as the nightly analysis stores it. */
export async function makeInsight(db: Db, input: InsightInput) {
  const at = new Date('2026-05-13T03:20:00Z')
  const [row] = await db
    .insert(insights)
    .values({
      rule: 'under-performance',
      subjectKind: 'operation',
      subjectId: input.operationId,
      startsOn: '2026-05-02',
      endsOn: '2026-05-13',
      wh: 117_430,
      cents: 1_171,
      confidence: 0.8,
      size: 117_430,
      numbers: INSIGHT_NUMBERS,
      foundAt: at,
      seenAt: at,
      ...input,
    })
    .returning()
  if (!row) throw new Error('no finding was made')
  return row
}

type RegulatoryExportInput = { companyId: number; operationId: string; fileId: string } & Partial<
  typeof regulatoryExports.$inferInsert
>

/** A stored version of a regulatory export. */
export async function makeRegulatoryExport(db: Db, wanted: RegulatoryExportInput) {
  const [row] = await db
    .insert(regulatoryExports)
    .values({ kind: 'consumers', period: '', number: 1, rows: 3, hash: 'none', createdBy: 'Ada Morel', ...wanted })
    .returning()
  if (!row) throw new Error('no export was made')
  return row
}

export const MARCH_PERIOD = { from: '2025-03-01', to: '2025-04-01' }

/** March of an operation with a roof and two homes, allocated. */
export async function makeReportFixture(server: TestServer, more: { companyId?: number } = {}) {
  const place = { ...MARCH_PERIOD, producers: [613], consumers: [599, 307], ...more }
  const scene = await makeOperationFixture(server, place)
  const { operation } = scene
  await server.db.update(operations).set({ unitPrice: 1_213 }).where(eq(operations.id, operation.id))
  await requestKeyAdoption(server, scene, { method: 'default' })
  await runAllocation(server, scene, MARCH_PERIOD)
  const auth = { token: scene.token }
  const asked = { template: 'operation-month' as string, subjectId: operation.id, period: '2025-03' }
  const make = (wanted: Partial<typeof asked> = {}, who = auth) =>
    call(server, reports.make, { body: { ...asked, ...wanted } }, who)
  return { ...scene, auth, asked, make }
}

let count = 0
const buildPlaceNearby = (n: number) => ({ latitude: 45.76 + n / 1000, longitude: 4.85 })

export const buildRoofLine = (more = {}) => ({
  building: 'Bâtiment A',
  peakWatts: 36_000,
  azimuth: 180,
  tilt: 30,
  ...buildPlaceNearby(0),
  ...more,
})
export const buildCandidateLine = (n = ++count, more = {}) => ({
  name: `Voisin ${n}`,
  email: '',
  kind: 'person',
  prm: `1999900000${String(n).padStart(4, '0')}`,
  profile: 'household',
  yearlyKwh: 3000,
  pointId: null,
  ...buildPlaceNearby(n % 5),
  ...more,
})

/** A project created with the short form, plus the given fields. */
export async function makeProject(server: TestServer, token: string, more: Record<string, unknown> = {}) {
  const body = { name: `Les Cèdres ${++count}`, kind: 'coownership', postalCode: '69003', ...more }
  const answer = await call(server, projects.create, { body }, { token })
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body
}

const UPDATE_FIELDS = [
  'name',
  'kind',
  'description',
  'address',
  'postalCode',
  'city',
  'latitude',
  'longitude',
  'perimeter',
  'zone',
  'localPrice',
  'gridPrice',
  'surplusPrice',
  'investmentPerKwc',
  'yearlyCosts',
  'method',
  'targetOn',
  'roofs',
  'candidates',
  'steps',
  'version',
]
/** The body of an update for a project that was read. */
export const buildProjectUpdate = (project: Record<string, unknown>, change: Record<string, unknown> = {}) => ({
  ...Object.fromEntries(UPDATE_FIELDS.map((name) => [name, project[name]])),
  ...change,
})
