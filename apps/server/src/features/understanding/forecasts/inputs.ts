import { addDays, dayStart } from '@voisol/energy/calendar'
import type { Model, Options } from '@voisol/energy/forecast'
import { MIDDLE } from '@voisol/energy/model/climate'
import type { Db } from '../../../db/client.ts'
import { bandsBefore, saidBefore } from './issued.ts'
import { type Point, type Scene, takingPart } from './subjects.ts'
import { type Summed, sumOf } from './sums.ts'
import type { IssueAsk, IssueInput } from './task-types.ts'
import { runAt, runsBefore } from './weather.ts'

/** Two years are learnt from; what happened of late is looked at step by step. */
const HISTORY_DAYS = 730
const LATE_DAYS = 62

/** `rebuilt`: said later than that, with what was known then. */
export type When = { day: string; issuedAt: Date; rebuilt?: boolean }
export type Subject = { id: string; plants: Point[] }
/** Curves of an operation, read once for it and for each of its plants. */
export type Curves = { hours: Summed; fine: Summed; load: Summed }

const weigh = (points: Point[]) => points.map(({ id, peakWatts }) => ({ id, weight: peakWatts }))

/** Everything that was read before the last of the days; each day then takes what was known before it. */
export async function readCurvesOf(db: Db, scene: Scene, days: string[]): Promise<Curves> {
  const { companyId, step } = scene
  const [first = '', last = ''] = [days[0], days.at(-1)]
  const plants = weigh(takingPart(scene, last, true))
  const homes = takingPart(scene, last, false).map(({ id }) => ({ id, weight: null }))
  const late = { from: addDays(first, -LATE_DAYS), to: last }
  return {
    hours: await sumOf(db, companyId, plants, { from: addDays(last, -HISTORY_DAYS), to: last }, 60, true),
    fine: await sumOf(db, companyId, plants, late, step, true),
    load: await sumOf(db, companyId, homes, late, step),
  }
}

const greatest = (watts: Int32Array) => watts.reduce((most, value) => Math.max(most, value), 0)

/** What errors are parts of: the power of the plants that speak, as they were declared, or the most they gave. */
export function peakOf(points: Point[], curves: Curves): number {
  return points
    .filter(({ id }) => curves.hours.own.has(id))
    .reduce(
      (sum, { id, peakWatts }) => sum + (peakWatts || greatest(curves.hours.own.get(id)?.watts ?? new Int32Array(0))),
      0,
    )
}

type Learnt = { model: Model | null; fitOn: string; fit: Options | undefined }

/** What a thread needs to speak of an operation, or of one plant; null where no plant of it ever said anything. */
export async function inputOf(
  db: Db,
  scene: Scene,
  { id, plants }: Subject,
  curves: Curves,
  whens: When[],
  { model, fitOn, fit }: Learnt,
): Promise<IssueInput | null> {
  const { companyId, operationId, step } = scene
  const whole = id === operationId
  const hours = whole ? curves.hours.series : curves.hours.own.get(id)
  const fine = whole ? curves.fine.series : curves.fine.own.get(id)
  const peakWatts = peakOf(plants, curves)
  if (!hours || !fine || peakWatts <= 0) return null
  const place = (whole ? undefined : plants[0]?.place) ?? scene.place ?? plants[0]?.place ?? MIDDLE
  // Weather is asked for where the operation is.
  const sky = scene.place ?? place
  const asks: IssueAsk[] = []
  for (const { day, issuedAt } of whens)
    asks.push({
      day,
      issuedAt: Math.floor(issuedAt.getTime() / 60_000),
      run: await runAt(db, companyId, sky, issuedAt),
    })
  const hasLoad = whole && curves.load.series.watts.some((value) => value >= 0)
  return {
    place,
    peakWatts,
    step,
    hours,
    fine,
    load: hasLoad ? curves.load.series : null,
    runs: model ? [] : await runsBefore(db, companyId, sky, new Date(dayStart(fitOn) * 60_000)),
    model,
    fitOn,
    fit,
    said: hasLoad ? await saidBefore(db, companyId, id, whens[0]?.day ?? fitOn) : [],
    bands: await bandsBefore(db, companyId, id, whens[0]?.day ?? fitOn),
    asks,
  }
}
