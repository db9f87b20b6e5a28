import { formatDwellingName } from '@voisol/contract/points'
import { addDays, dayStart, listDays } from '@voisol/energy/calendar'
import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { toTenths } from '../../../core/weather.ts'
import type { Db } from '../../../db/client.ts'
import { points } from '../../../db/schema/index.ts'
import { getToday } from '../../../today.ts'
import type { RunInput } from '../../energy/allocations/allocations.ts'
import { loadConsents } from '../../energy/consents/consents.ts'
import type { EndingConsent, PointDeliveries } from './people-rules.ts'
import type { InsightData } from './scene.ts'

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
export async function listEndingConsents(
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
export async function loadDeliveryDelays(
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
export async function loadDegreeDays(
  db: Db,
  companyId: number,
  { place, from, to }: InsightData,
): Promise<Float64Array> {
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
export function listMissingInputs(
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
