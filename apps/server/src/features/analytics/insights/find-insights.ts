import { formatDwellingName } from '@voisol/contract/points'
import { addDays, dayStart, listDays } from '@voisol/energy/calendar'
import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { toTenths } from '../../../core/weather.ts'
import { type Db, scopeToCompany, transaction } from '../../../db/client.ts'
import { points } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { getToday } from '../../../today.ts'
import type { RunInput } from '../../energy/allocation/index.ts'
import { loadConsents } from '../../energy/consents/index.ts'
import { loadEnergyPrices } from './energy-prices.ts'
import type { FindInsightsInput } from './find-task.ts'
import { type InsightData, listJoinCandidates, loadInsightData } from './insight-data.ts'
import type { EndingConsent, PointDeliveries } from './people-rules.ts'
import { storeFindings } from './store-findings.ts'

/** A full year of consumption plus a day, which is enough for every rule. */
export const INSIGHT_HISTORY_DAYS = 366
type InsightDeps = Pick<Deps, 'db' | 'compute' | 'secrets'>
type FindInsightsOptions = { companyId: number; operationId: string; signal?: AbortSignal | undefined }

/** Buffers of readings made for this call are transferred to the thread. */
export const listTransferableBuffers = ({ points, neighbours }: InsightData) => [
  ...new Set(
    [...points.flatMap(({ values, measured }) => [values, measured]), ...neighbours.map(({ values }) => values)].map(
      (curve) => curve.buffer as ArrayBuffer, // never shared between threads
    ),
  ),
]

/** Runs every rule on an operation in a worker thread and stores the findings. */
export async function findAndStoreInsights(
  { db, compute, secrets }: InsightDeps,
  { companyId, operationId, signal }: FindInsightsOptions,
) {
  const companyDb = scopeToCompany(db, companyId)
  const loaded = await loadInsightData(companyDb, companyId, operationId, INSIGHT_HISTORY_DAYS)
  if (!loaded) return { found: 0, closed: 0 }
  const { scene, input } = loaded
  const prices = await loadEnergyPrices(companyDb, companyId, operationId, getToday())
  const cold = await loadDegreeDays(companyDb, companyId, scene)
  const taskInput: FindInsightsInput = {
    operationId,
    today: getToday(),
    scene,
    prices,
    names: getPointNames(input),
    cold,
    endings: await listEndingConsents(companyDb, companyId, scene),
    deliveries: await loadDeliveryDelays(companyDb, companyId, scene),
    joiners: await listJoinCandidates(companyDb, companyId, scene),
    kvas: await loadSubscribedKvas(
      companyDb,
      companyId,
      scene.points.map(({ id }) => id),
    ),
    calendar: input.calendar,
  }
  const missing = listMissingInputs(scene, cold, prices)
  const findings = await compute('insights.find', taskInput, {
    companyId,
    signal,
    moved: listTransferableBuffers(scene),
  })
  return transaction(companyDb, (tx) =>
    storeFindings(tx, { companyId, operationId, secrets }, findings, prices, missing),
  )
}

export const getPointNames = ({ members }: RunInput): Record<string, string> =>
  Object.fromEntries(
    members.map(({ pointId, label, holder, prm }) => [pointId, formatDwellingName(label, holder) || prm]),
  )

export async function loadSubscribedKvas(db: Db, companyId: number, ids: string[]): Promise<Record<string, number>> {
  const rows = await db
    .select({ id: points.id, va: points.subscribedVa })
    .from(points)
    .where(and(eq(points.companyId, companyId), inArray(points.id, ids), isNotNull(points.subscribedVa)))
  return Object.fromEntries(rows.map(({ id, va }) => [id, (va ?? 0) / 1000]))
}

/** The last consent to data collection of each member, if it ends or has ended. */
async function listEndingConsents(
  db: Db,
  companyId: number,
  { points: scenePoints }: InsightData,
): Promise<EndingConsent[]> {
  const holders = [...new Set(scenePoints.map(({ holderId }) => holderId))]
  const known = await loadConsents(db, companyId, holders)
  const last = new Map<string, (typeof known)[number]>()
  for (const consent of known)
    if (consent.purpose === 'collection' && !last.has(consent.participantId)) last.set(consent.participantId, consent)
  return [...last.values()]
    .filter(({ state }) => state === 'expiring' || state === 'expired')
    .map(({ participantId, expiresOn }) => ({ participantId, expiresOn }))
}

const DELIVERY_HISTORY_DAYS = 100

/** The delay of each recent day of a point, from its first version. */
async function loadDeliveryDelays(
  db: Db,
  companyId: number,
  { points: scenePoints, to }: InsightData,
): Promise<PointDeliveries[]> {
  const { rows } = await db.execute<{ id: string; last: string; delays: number[] }>(sql`
    select point_id as id, max(day)::text as last,
           array_agg(greatest(0, (received_at at time zone 'Europe/Paris')::date - day - 1)) as delays
      from curve_days
     where company_id = ${companyId} and point_id = any(${sql.param(scenePoints.map(({ id }) => id))}::uuid[])
       and version = 1 and present > 0 and day >= ${addDays(to, -DELIVERY_HISTORY_DAYS)}
     group by point_id`)
  return rows.map(({ id, last, delays }) => ({ pointId: id, lastDay: last, delays }))
}

const DEGREE_DAY_BASE = 16
const MIN_TEMPERATURE_HOURS = 18

/** Degree-days below 16 °C, from the hourly weather forecast; NaN when missing. */
async function loadDegreeDays(db: Db, companyId: number, { place, from, to }: InsightData): Promise<Float64Array> {
  const days = listDays(from, to)
  const unknownDays = new Float64Array(days.length).fill(Number.NaN)
  if (!place) return unknownDays
  // The first run of each day is accurate enough.
  const { rows } = await db.execute<{ first: string; degrees: (number | null)[] }>(sql`
    select distinct on ((issued_at at time zone 'UTC')::date) values->>'from' as first, values->'temperature' as degrees
      from weather_runs
     where company_id = ${companyId} and latitude = ${toTenths(place.latitude)} and longitude = ${toTenths(place.longitude)}
       and issued_at >= ${`${addDays(from, -1)}T00:00:00Z`}
     order by (issued_at at time zone 'UTC')::date, issued_at`)
  const hours = new Map<number, number>()
  for (const { first, degrees } of rows) {
    const start = Math.floor(Date.parse(first) / 3_600_000)
    for (const [at, one] of degrees.entries()) if (one !== null) hours.set(start + at, one)
  }
  return Float64Array.from(days, (day) => {
    const start = dayStart(day) / 60
    const known = Array.from({ length: 24 }, (_, at) => hours.get(start + at)).filter((value) => value !== undefined)
    if (known.length < MIN_TEMPERATURE_HOURS) return Number.NaN
    return Math.max(0, DEGREE_DAY_BASE - known.reduce((sum, value) => sum + value, 0) / known.length)
  })
}

/** Missing inputs that would enable more rules, as shown on screen. */
function listMissingInputs(
  scene: InsightData,
  cold: Float64Array,
  prices: { local: number | null; surplus: number | null; supplier: number | null },
): string[] {
  const plants = scene.points.filter(({ role }) => role === 'producer')
  const days = (dayStart(getToday()) - dayStart(scene.to)) / 1440
  const unplaced = plants.filter(({ plane }) => !plane).length
  const near = plants.length - 1 + scene.neighbours.length
  const known = cold.slice(-70).filter((value) => !Number.isNaN(value)).length
  return [
    ...(days > 7 ? [`Les derniers relevés connus s’arrêtent il y a ${Math.round(days)} jours.`] : []),
    ...(scene.place
      ? []
      : ['La latitude et la longitude de l’opération\u00a0: sans elles, le soleil n’est pas connu.']),
    ...(unplaced ? [`La puissance, l’azimut ou l’inclinaison de ${unplaced} centrale${unplaced > 1 ? 's' : ''}.`] : []),
    ...(plants.length && near < 2
      ? ['Deux autres centrales à moins de 50\u00a0km\u00a0: une centrale seule n’est comparée à rien.']
      : []),
    ...(known < 40
      ? ['Les températures\u00a0: sans connexion météo, la consommation de fond n’est pas surveillée.']
      : []),
    ...(prices.local === null ? ['Un prix local général en vigueur\u00a0: les constats restent en kWh.'] : []),
    ...(prices.surplus === null ? ['Le prix de vente du surplus.'] : []),
    ...(prices.supplier === null ? ['Le prix du fournisseur.'] : []),
  ]
}
