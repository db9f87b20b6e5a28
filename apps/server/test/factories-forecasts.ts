import { addDays, dayStart, listDays, stepsOfDay } from '@voisol/energy/calendar'
import { computePvWatts } from '@voisol/energy/model/pv'
import { createSky } from '@voisol/energy/model/weather'
import { issuedForecasts } from '../src/db/schema/index.ts'
import { storeReadingsAndNotify } from '../src/features/energy/curves/curves.ts'
import { getToday } from '../src/today.ts'
import type { TestServer } from './client.ts'
import { makeUser } from './factories.ts'
import { buildCurveDay, makeMeter } from './factories-curves.ts'
import { makeOperation } from './factories-operations.ts'

export const LYON_COORDINATES = { latitude: 45.73, longitude: 4.83 }
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
