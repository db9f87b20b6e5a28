import { addDays, dayStart } from '@voisol/energy/calendar'
import type { ForecastModel, ForecastOptions, IssuedWeather } from '@voisol/energy/forecast'
import { type Coordinates, FRANCE_CENTRE } from '@voisol/energy/model/climate'
import { and, eq, gte, lt, sql } from 'drizzle-orm'
import { unpackInts } from '../../../core/readings.ts'
import { findLatestWeather, toTenths, type WeatherRun, type WeatherValues } from '../../../core/weather.ts'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import { forecastModels, issuedForecasts } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { recordEvent } from '../../../events/events.ts'
import { listIssuedDays, listPastNetForecasts, RECIPE_VERSION } from './issued-forecasts.ts'
import {
  type ForecastPoint,
  loadOperationPoints,
  type OperationPoints,
  type SummedCurves,
  sumCurves,
} from './subject-curves.ts'
import type { IssuedForecast, IssueInput, IssueRequest, PastBandValues } from './task-types.ts'

type IssueForecastsInput = {
  companyId: number
  operationId: string
  /** Issue days in ascending order; plants may have fewer. */
  whens: IssueMoment[]
  plantWhens?: IssueMoment[]
  /** Reduces the data to fit; the fitted model is then not stored. */
  fit?: ForecastOptions
  signal?: AbortSignal | undefined
}

type SubjectToIssue = IssueSubject & { whens: IssueMoment[] }

const participatesOn = ({ spans }: ForecastPoint, day: string) =>
  spans.some(({ from, to }) => from <= day && (to === null || to > day))

/** The points that take part on a day. */
const listParticipatingPoints = ({ points: all }: OperationPoints, day: string, production: boolean): ForecastPoint[] =>
  all.filter((point) => point.production === production && participatesOn(point, day))

/** The operation itself, and each of its plants. */
function listSubjectsToIssue(
  scene: OperationPoints,
  { whens, plantWhens = whens }: IssueForecastsInput,
): SubjectToIssue[] {
  const plants = listParticipatingPoints(scene, whens.at(-1)?.day ?? '', true)
  const plantSubjects = plants.map((plant) => ({ id: plant.id, plants: [plant], whens: plantWhens }))
  return [{ id: scene.operationId, plants, whens }, ...plantSubjects]
}

/** The model fitted on that day; one of another version is ignored. */
async function loadModel(db: Db, companyId: number, subjectId: string, day: string): Promise<ForecastModel | null> {
  const [row] = await db
    .select()
    .from(forecastModels)
    .where(and(eq(forecastModels.companyId, companyId), eq(forecastModels.subjectId, subjectId)))
  return row && row.version === RECIPE_VERSION && row.fittedOn === day ? (row.model as ForecastModel) : null // written by storeModel
}

const toBytes = (ints: Int32Array) => Buffer.from(ints.buffer, ints.byteOffset, ints.byteLength)

const toInstant = (minute: number | null) => (minute === null ? null : new Date(minute * 60_000))

type IssuedForecastContext = {
  companyId: number
  operationId: string
  subjectId: string
  peakWatts: number
  silent: string[]
  /** Days forecast later, with the data of that time. */
  rebuilt: ReadonlySet<string>
}

/** Stores forecasts once: a second one for the same day changes nothing. */
async function storeIssues(
  tx: Db,
  { peakWatts, rebuilt, ...about }: IssuedForecastContext,
  issues: IssuedForecast[],
): Promise<void> {
  const rows = issues.map(
    ({
      day,
      issuedAt,
      knownUntil,
      startsAt: _,
      values,
      learnt,
      persistence,
      source,
      chance,
      weatherIssuedAt,
      ...issue
    }) => ({
      ...about,
      ...issue,
      issuedOn: day,
      rebuilt: rebuilt.has(day),
      issuedAt: new Date(issuedAt * 60_000),
      knownUntil: toInstant(knownUntil),
      weatherIssuedAt: toInstant(weatherIssuedAt),
      values: toBytes(values),
      learnt: learnt && toBytes(learnt),
      persistence: toBytes(persistence),
      source: Buffer.from(source),
      chance: chance && Buffer.from(chance),
      // Consumption errors are relative to consumption, so there is no peak power.
      peakWatts: issue.kind === 'consumption' ? null : peakWatts,
      version: RECIPE_VERSION,
    }),
  )
  if (rows.length) await tx.insert(issuedForecasts).values(rows).onConflictDoNothing()
}

type StoreModelInput = {
  companyId: number
  operationId: string
  subjectId: string
  fittedOn: string
  model: ForecastModel
}

const storeModel = (tx: Db, { model, ...row }: StoreModelInput) => {
  const values = { ...row, model, version: RECIPE_VERSION, fittedAt: new Date() }
  const { fittedOn, operationId, version, fittedAt } = values
  const target = [forecastModels.companyId, forecastModels.subjectId]
  return tx
    .insert(forecastModels)
    .values(values)
    .onConflictDoUpdate({ target, set: { fittedOn, operationId, version, fittedAt, model } })
}

/** Returns the fitted model, which a single plant can reuse. */
async function issueSubjectForecasts(
  deps: Deps,
  scene: OperationPoints,
  subject: SubjectToIssue,
  curves: OperationCurves,
  issueInput: IssueForecastsInput,
  known?: ForecastModel,
) {
  const { companyId, operationId } = scene
  const { id: subjectId, plants, whens } = subject
  const { fit, signal } = issueInput
  const fitOn = whens[0]?.day ?? ''
  const model = known ?? (await loadModel(deps.db, companyId, subjectId, fitOn))
  const input = await buildIssueInput(deps.db, scene, subject, curves, whens, { model, fitOn, fit })
  if (!input) return undefined
  const issueOutput = await deps.compute('forecasts.issue', input, { companyId, signal, patient: true })
  const whole = subjectId === operationId
  const silentPointIds = whole ? [...curves.hours.silent, ...curves.load.silent] : []
  const rebuilt = new Set(whens.filter((when) => when.rebuilt).map(({ day }) => day))
  const today = whens.find((when) => !when.rebuilt)?.day
  await transaction(scopeToCompany(deps.db, companyId), async (tx) => {
    if (!model && !fit)
      await storeModel(tx, { companyId, operationId, subjectId, fittedOn: fitOn, model: issueOutput.model })
    const about = {
      companyId,
      operationId,
      subjectId,
      peakWatts: computePeakWatts(plants, curves),
      silent: silentPointIds,
      rebuilt,
    }
    await storeIssues(tx, about, issueOutput.issues)
    if (whole && today)
      await recordEvent(tx, {
        companyId,
        name: 'forecast.issued',
        object: operationId,
        data: { operationId, day: today },
        by: { job: 'forecasts.issue', secrets: deps.secrets },
        once: `${operationId} ${today}`,
      })
  })
  return issueOutput.model
}

/**
 * Forecasts of an operation and its plants for these days, each with the data known before it. Each subject is stored
 * when done, so an interrupted call continues with the missing ones.
 */
export async function issueForecasts(deps: Deps, issueInput: IssueForecastsInput): Promise<void> {
  const { companyId, operationId, whens, signal } = issueInput
  const operationPoints = whens.length ? await loadOperationPoints(deps.db, companyId, operationId) : undefined
  if (!operationPoints) return
  const days = whens.map(({ day }) => day)
  let curves: OperationCurves | undefined
  let model: ForecastModel | undefined
  for (const subject of listSubjectsToIssue(operationPoints, issueInput)) {
    signal?.throwIfAborted()
    const [earliest] = subject.whens
    if (!earliest) continue
    const done = await listIssuedDays(deps.db, companyId, subject.id, earliest.day)
    const remainingMoments = subject.whens.filter(({ day }) => !done.has(day))
    if (!remainingMoments.length) continue
    curves ??= await loadOperationCurves(deps.db, operationPoints, days)
    // A single plant equals its operation, so it reuses the model.
    const only = subject.id !== operationId && curves.hours.own.size === 1
    const learntModel = await issueSubjectForecasts(
      deps,
      operationPoints,
      { ...subject, whens: remainingMoments },
      curves,
      issueInput,
      only ? model : undefined,
    )
    if (subject.id === operationId) model = learntModel
  }
}

/** Two years are used to fit the model; the recent days are used step by step. */
const FIT_HISTORY_DAYS = 730
const RECENT_DAYS = 62

/** `rebuilt`: computed later, with the data known at that time. */
type IssueMoment = { day: string; issuedAt: Date; rebuilt?: boolean }
type IssueSubject = { id: string; plants: ForecastPoint[] }
/** Curves of an operation, loaded once for it and its plants. */
type OperationCurves = { hours: SummedCurves; fine: SummedCurves; load: SummedCurves }

const toWeightedPoints = (points: ForecastPoint[]) => points.map(({ id, peakWatts }) => ({ id, weight: peakWatts }))

/** All readings before the last day; each day then uses only those known before it. */
async function loadOperationCurves(db: Db, scene: OperationPoints, days: string[]): Promise<OperationCurves> {
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
function computePeakWatts(points: ForecastPoint[], curves: OperationCurves): number {
  return points
    .filter(({ id }) => curves.hours.own.has(id))
    .reduce(
      (sum, { id, peakWatts }) => sum + (peakWatts || getMaximum(curves.hours.own.get(id)?.watts ?? new Int32Array(0))),
      0,
    )
}

type FitOptions = { model: ForecastModel | null; fitOn: string; fit: ForecastOptions | undefined }

/** Days of past errors that adjust bands. */
const BAND_HISTORY_DAYS = 14

/** Recent production forecasts before their bands were adjusted, oldest first. */
async function listPastBands(db: Db, companyId: number, subjectId: string, day: string): Promise<PastBandValues[]> {
  const { issuedOn, levels, values, learnt } = issuedForecasts
  const rows = await db
    .select({ issuedOn, levels, values, learnt })
    .from(issuedForecasts)
    .where(
      and(
        eq(issuedForecasts.companyId, companyId),
        eq(issuedForecasts.subjectId, subjectId),
        eq(issuedForecasts.kind, 'production'),
        eq(issuedForecasts.span, 'week'),
        lt(issuedOn, day),
        gte(issuedOn, addDays(day, -BAND_HISTORY_DAYS)),
      ),
    )
    .orderBy(issuedOn)
  return rows.map((row) => ({
    startsAt: dayStart(row.issuedOn),
    levels: row.levels,
    values: unpackInts(row.learnt ?? row.values),
  }))
}

/** The input of the worker thread for an operation or one plant; null when no plant has readings. */
async function buildIssueInput(
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

/** Fields of a weather run used here; direct radiation follows from the first two. */
const RUN_FIELDS = {
  ghi: 'radiation',
  dhi: 'diffuse',
  cloud: 'cloud',
  temperature: 'temperature',
  humidity: 'humidity',
  wind: 'wind',
  snow: 'snow',
  precipitation: 'precipitation',
} as const

const toMinute = (instant: Date) => Math.floor(instant.getTime() / 60_000)

function toWeatherRun({ issuedAt, values }: WeatherRun): IssuedWeather {
  const column = (name: keyof Omit<WeatherValues, 'from'>) =>
    Float64Array.from(values[name], (value) => value ?? Number.NaN)
  const fields = Object.entries(RUN_FIELDS).map(([name, theirs]) => [name, column(theirs)] as const)
  return {
    issuedAt: toMinute(issuedAt),
    startsAt: toMinute(new Date(values.from)),
    step: 60,
    values: Object.fromEntries(fields),
  }
}

/** Days of weather used to fit models. */
const WEATHER_HISTORY_DAYS = 400

/** The first run of each day up to an instant, which is as old when used as in real forecasts. */
async function listWeatherRunsBefore(
  db: Db,
  companyId: number,
  place: Coordinates,
  until: Date,
): Promise<IssuedWeather[]> {
  const from = new Date(until.getTime() - WEATHER_HISTORY_DAYS * 86_400_000)
  const { rows } = await db.execute<{ issuedAt: Date; values: WeatherValues }>(sql`
    select distinct on ((issued_at at time zone 'UTC')::date) issued_at as "issuedAt", values
      from weather_runs
     where company_id = ${companyId} and latitude = ${toTenths(place.latitude)} and longitude = ${toTenths(place.longitude)}
       and issued_at >= ${from.toISOString()} and issued_at < ${until.toISOString()}
     order by (issued_at at time zone 'UTC')::date, issued_at`)
  return rows.map(({ issuedAt, values }) => toWeatherRun({ issuedAt: new Date(issuedAt), values }))
}

/** The last weather forecast of the place at the time of issue, unless it is a day old. */
async function findWeatherRunAt(
  db: Db,
  companyId: number,
  place: Coordinates,
  at: Date,
): Promise<IssuedWeather | null> {
  const run = await findLatestWeather(db, companyId, place, at)
  return run ? toWeatherRun(run) : null
}
