import { addDays, dayStart } from '@voisol/energy/calendar'
import type { ForecastModel, ForecastOptions } from '@voisol/energy/forecast'
import { FRANCE_CENTRE } from '@voisol/energy/model/climate'
import type { Db } from '../../../db/client.ts'
import { listPastBands, listPastNetForecasts } from './issued.ts'
import { type ForecastPoint, listParticipatingPoints, type OperationPoints } from './subjects.ts'
import { type SummedCurves, sumCurves } from './sums.ts'
import type { IssueInput, IssueRequest } from './task-types.ts'
import { findWeatherRunAt, listWeatherRunsBefore } from './weather.ts'

/** Two years are used to fit the model; the recent days are used step by step. */
const FIT_HISTORY_DAYS = 730
const RECENT_DAYS = 62

/** `rebuilt`: computed later, with the data known at that time. */
export type IssueMoment = { day: string; issuedAt: Date; rebuilt?: boolean }
export type IssueSubject = { id: string; plants: ForecastPoint[] }
/** Curves of an operation, loaded once for it and its plants. */
export type OperationCurves = { hours: SummedCurves; fine: SummedCurves; load: SummedCurves }

const toWeightedPoints = (points: ForecastPoint[]) => points.map(({ id, peakWatts }) => ({ id, weight: peakWatts }))

/** All readings before the last day; each day then uses only those known before it. */
export async function loadOperationCurves(db: Db, scene: OperationPoints, days: string[]): Promise<OperationCurves> {
  const { companyId, step } = scene
  const [first = '', last = ''] = [days[0], days.at(-1)]
  const plants = toWeightedPoints(listParticipatingPoints(scene, last, true))
  const consumers = listParticipatingPoints(scene, last, false).map(({ id }) => ({ id, weight: null }))
  const recentDays = { from: addDays(first, -RECENT_DAYS), to: last }
  return {
    hours: await sumCurves(db, companyId, plants, { from: addDays(last, -FIT_HISTORY_DAYS), to: last }, 60, true),
    fine: await sumCurves(db, companyId, plants, recentDays, step, true),
    load: await sumCurves(db, companyId, consumers, recentDays, step),
  }
}

const getMaximum = (watts: Int32Array) => watts.reduce((most, value) => Math.max(most, value), 0)

/** The reference power of errors: the declared peak power of plants with readings, or their maximum. */
export function computePeakWatts(points: ForecastPoint[], curves: OperationCurves): number {
  return points
    .filter(({ id }) => curves.hours.own.has(id))
    .reduce(
      (sum, { id, peakWatts }) => sum + (peakWatts || getMaximum(curves.hours.own.get(id)?.watts ?? new Int32Array(0))),
      0,
    )
}

type FitOptions = { model: ForecastModel | null; fitOn: string; fit: ForecastOptions | undefined }

/** The input of the worker thread for an operation or one plant; null when no plant has readings. */
export async function buildIssueInput(
  db: Db,
  scene: OperationPoints,
  { id, plants }: IssueSubject,
  curves: OperationCurves,
  moments: IssueMoment[],
  { model, fitOn, fit }: FitOptions,
): Promise<IssueInput | null> {
  const { companyId, operationId, step } = scene
  const whole = id === operationId
  const hours = whole ? curves.hours.series : curves.hours.own.get(id)
  const fine = whole ? curves.fine.series : curves.fine.own.get(id)
  const peakWatts = computePeakWatts(plants, curves)
  if (!hours || !fine || peakWatts <= 0) return null
  const place = (whole ? undefined : plants[0]?.place) ?? scene.place ?? plants[0]?.place ?? FRANCE_CENTRE
  // Weather is requested for the operation's place.
  const weatherPlace = scene.place ?? place
  const asks: IssueRequest[] = []
  for (const { day, issuedAt } of moments)
    asks.push({
      day,
      issuedAt: Math.floor(issuedAt.getTime() / 60_000),
      run: await findWeatherRunAt(db, companyId, weatherPlace, issuedAt),
    })
  const hasLoad = whole && curves.load.series.watts.some((value) => value >= 0)
  return {
    place,
    peakWatts,
    step,
    hours,
    fine,
    load: hasLoad ? curves.load.series : null,
    runs: model ? [] : await listWeatherRunsBefore(db, companyId, weatherPlace, new Date(dayStart(fitOn) * 60_000)),
    model,
    fitOn,
    fit,
    said: hasLoad ? await listPastNetForecasts(db, companyId, id, moments[0]?.day ?? fitOn) : [],
    bands: await listPastBands(db, companyId, id, moments[0]?.day ?? fitOn),
    asks,
  }
}
