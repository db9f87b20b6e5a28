import { isDay } from '@voisol/energy/calendar'
import { z } from 'zod'
import { formatFrenchDay, NBSP, quoteText } from '../../french.ts'
import { type RequestedPeriod, requireSameAgreement, requireSamePoint, requireUnit } from './held.ts'
import { toEnedisCurve } from './parse-curve.ts'
import { createMismatchFault, createUnreadableFault, describeReceivedValue, parseEnedisAnswer } from './shape.ts'
import {
  type AgreementPoint,
  type EnedisAgreement,
  type EnedisCurve,
  SERIES_TYPES,
  type SeriesType,
  type SubscribedService,
} from './types.ts'

const text = z.union([z.string(), z.number()]).transform(String)
const day = z
  .string()
  .nullish()
  .transform((value) => value?.slice(0, 10) ?? null)
  .refine((value) => value === null || isDay(value), 'devrait être un jour, par exemple 2026-03-12')

export const parsePerimeter = (body: unknown) => {
  const { usage_point_id, query_parameters } = parseEnedisAnswer(
    z.object({
      usage_point_id: z.array(text),
      query_parameters: z
        .object({ page_total_count: z.coerce.number().int().min(0) })
        .partial()
        .optional(),
    }),
    body,
  )
  return { prms: usage_point_id, pages: query_parameters?.page_total_count ?? 1 }
}

const Daily2 = z.object({
  idPrm: text.nullish(),
  grandeur: z.array(
    z.object({ unite: z.string().nullish(), points: z.array(z.object({ v: text.nullish(), d: z.string() })) }),
  ),
})
const Daily5 = z.object({
  meter_reading: z.object({
    usage_point_id: text.nullish(),
    reading_type: z.object({ unit: z.string().nullish() }).nullish(),
    interval_reading: z.array(z.object({ value: text.nullish(), date: z.string() })),
  }),
})

const MAX_DAILY_WH = 10_000_000_000
/** An impossible value makes the answer invalid; an empty one is an unknown day. */
function parseDailyEnergy(value: string | null | undefined, stamp: string): { day: string; wh: number }[] {
  if (value === null || value === undefined || value.trim() === '') return []
  const [day, wh] = [stamp.slice(0, 10), /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : Number.NaN]
  if (!isDay(day))
    throw createUnreadableFault(
      `Un jour était attendu, par exemple 2026-03-12${NBSP}; reçu${NBSP}: ${describeReceivedValue(stamp)}.`,
    )
  if (!(wh <= MAX_DAILY_WH))
    throw createUnreadableFault(
      `Une énergie en Wh, positive, était attendue pour ${quoteText(day)}${NBSP}; reçu${NBSP}: ${describeReceivedValue(value)}.`,
    )
  return [{ day, wh: Math.round(wh) }]
}

/** The second format names its quantities, the first its reading. */
function parseDailyValues(body: unknown, prm: string): { day: string; wh: number }[] {
  if (typeof body === 'object' && body !== null && 'grandeur' in body) {
    const { idPrm, grandeur } = parseEnedisAnswer(Daily2, body)
    requireSamePoint(prm, idPrm)
    for (const { unite } of grandeur) requireUnit(unite, 'Wh')
    return grandeur.flatMap(({ points }) => points.flatMap(({ v, d }) => parseDailyEnergy(v, d)))
  }
  const { usage_point_id, reading_type, interval_reading } = parseEnedisAnswer(Daily5, body).meter_reading
  requireSamePoint(prm, usage_point_id)
  requireUnit(reading_type?.unit, 'Wh')
  return interval_reading.flatMap(({ value, date }) => parseDailyEnergy(value, date))
}

export function parseDaily(
  body: unknown,
  { prm, from, to }: RequestedPeriod & { prm: string },
): { day: string; wh: number }[] {
  const days = parseDailyValues(body, prm)
  const other = days.find(({ day }) => day < from || day >= to)
  if (other)
    throw createMismatchFault(
      `La réponse donne le ${formatFrenchDay(other.day)}, qui n’est pas de la période demandée.`,
    )
  if (!days.length)
    throw createMismatchFault(
      `La réponse ne contient aucune énergie du ${formatFrenchDay(from)} au ${formatFrenchDay(to)} exclu.`,
    )
  return days
}

const AgreementRow = z.object({ agreement_id: z.string(), name: z.string().default(''), start: day, end: day })
export const parseAgreements = (body: unknown): EnedisAgreement[] =>
  parseEnedisAnswer(z.object({ agreements: z.array(AgreementRow) }), body).agreements.map(
    ({ agreement_id, name, start, end }) => ({
      acc: agreement_id,
      name,
      startsOn: start,
      endsOn: end,
    }),
  )

const PointRow = z.object({ usage_point_id: text, role: z.enum(['cons', 'prod']), start: day, end: day })
export function parseAgreement(body: unknown, acc: string): AgreementPoint[] {
  const { agreement_id, usage_points } = parseEnedisAnswer(
    z.object({ agreement_id: z.string().nullish(), usage_points: z.array(PointRow) }),
    body,
  )
  requireSameAgreement(acc, agreement_id)
  return usage_points.map(({ usage_point_id, role, start, end }) => ({
    prm: usage_point_id,
    role,
    startsOn: start,
    endsOn: end,
  }))
}

const SeriesRow = z.object({
  usage_point_id: text.nullish(),
  type: z.enum(SERIES_TYPES),
  unit: z.string().nullish(),
  step: z.string().optional(),
  points: z.array(z.object({ v: text.nullish(), d: z.string(), p: z.string().optional(), n: z.string().optional() })),
})
const SeriesAnswer = z.object({ agreement_id: z.string().nullish(), series: z.array(SeriesRow) })
type SeriesRequest = RequestedPeriod & { acc: string; type: SeriesType; prm?: string }

/** Series are in watts unless they state a unit. */
export function parseSeries(
  body: unknown,
  { acc, prm, type, ...span }: SeriesRequest,
): (EnedisCurve & { type: SeriesType })[] {
  const { agreement_id, series } = parseEnedisAnswer(SeriesAnswer, body)
  requireSameAgreement(acc, agreement_id)
  if (!series.length)
    throw createMismatchFault(`La réponse ne contient pas la série ${quoteText(type)}, qui était demandée.`)
  return series.map((row) => {
    if (prm !== undefined) requireSamePoint(prm, row.usage_point_id)
    if (row.type !== type)
      throw createMismatchFault(
        `La réponse est la série ${quoteText(row.type)}${NBSP}; ${quoteText(type)} était demandée.`,
      )
    if (row.unit) requireUnit(row.unit, 'W')
    const direction = type === 'prod' || type === 'surplus' ? ('production' as const) : ('consumption' as const)
    const readings = row.points.map(({ v, d, p, n }) => ({
      value: v ?? null,
      stamp: d,
      step: p ?? row.step,
      nature: n,
    }))
    return { ...toEnedisCurve(row.usage_point_id ?? '', direction, readings, span), type }
  })
}

const Services = z.object({
  serviceSouscrit: z
    .array(
      z.object({
        pointId: text.nullish(),
        etatCode: z.string().optional(),
        dateDebut: day,
        dateFin: day,
        mesuresTypeCode: z.string().default(''),
      }),
    )
    .default([]),
})
export function parseServices(body: unknown, prm: string): SubscribedService[] {
  const found = parseEnedisAnswer(Services, body).serviceSouscrit
  for (const { pointId } of found) if (pointId) requireSamePoint(prm, pointId)
  return found.map(({ etatCode, dateDebut, dateFin, mesuresTypeCode }) => ({
    active: etatCode === 'ACTIF',
    startsOn: dateDebut,
    endsOn: dateFin,
    kind: mesuresTypeCode,
  }))
}
