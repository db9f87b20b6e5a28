import { isDay } from '@voisol/energy/calendar'
import { z } from 'zod'
import { about, shaped, toCurve, unreadable } from './parse-curve.ts'
import type { Agreement, AgreementPoint, Curve, Quantity, SeriesType, Service } from './types.ts'

const text = z.union([z.string(), z.number()]).transform(String)
const day = z
  .string()
  .nullish()
  .transform((value) => value?.slice(0, 10) ?? null)
  .refine((value) => value === null || isDay(value), 'not a day')
const Type = z.enum(['cons', 'prod', 'autocons', 'surplus', 'complement'])

export const parsePerimeter = (body: unknown) => {
  const { usage_point_id, query_parameters } = shaped(
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
  idPrm: text.optional(),
  grandeur: z.array(
    z.object({ unite: z.string().optional(), points: z.array(z.object({ v: text.nullish(), d: z.string() })) }),
  ),
})
const Daily5 = z.object({
  meter_reading: z.object({
    usage_point_id: text.optional(),
    interval_reading: z.array(z.object({ value: text.nullish(), date: z.string() })),
  }),
})

const MOST_WH = 10_000_000_000
/** What cannot be is a broken answer; an empty value is a day that is not known. */
function energyOf(value: string | null | undefined, stamp: string): { day: string; wh: number }[] {
  if (value === null || value === undefined || value.trim() === '') return []
  const [day, wh] = [stamp.slice(0, 10), Number(value)]
  if (!isDay(day) || !Number.isFinite(wh) || wh < 0 || wh > MOST_WH)
    throw unreadable(`energy ${value.slice(0, 40)} of ${stamp.slice(0, 40)}`)
  return [{ day, wh: Math.round(wh) }]
}

/** Where the point that was asked for is given, an answer about another one is refused. */
export function parseDaily(body: unknown, prm?: string): { day: string; wh: number }[] {
  const second = Daily2.safeParse(body)
  if (second.success) {
    about(prm, second.data.idPrm)
    return second.data.grandeur.flatMap(({ points }) => points.flatMap(({ v, d }) => energyOf(v, d)))
  }
  const { usage_point_id, interval_reading } = shaped(Daily5, body).meter_reading
  about(prm, usage_point_id)
  return interval_reading.flatMap(({ value, date }) => energyOf(value, date))
}

const AgreementRow = z.object({ agreement_id: z.string(), name: z.string().default(''), start: day, end: day })
export const parseAgreements = (body: unknown): Agreement[] =>
  shaped(z.object({ agreements: z.array(AgreementRow) }), body).agreements.map(
    ({ agreement_id, name, start, end }) => ({
      acc: agreement_id,
      name,
      startsOn: start,
      endsOn: end,
    }),
  )

const PointRow = z.object({ usage_point_id: text, role: z.enum(['cons', 'prod']), start: day, end: day })
export const parseAgreement = (body: unknown): AgreementPoint[] =>
  shaped(z.object({ usage_points: z.array(PointRow) }), body).usage_points.map(
    ({ usage_point_id, role, start, end }) => ({
      prm: usage_point_id,
      role,
      startsOn: start,
      endsOn: end,
    }),
  )

const SeriesRow = z.object({
  usage_point_id: text.nullish(),
  type: Type,
  step: z.string().optional(),
  points: z.array(z.object({ v: text.nullish(), d: z.string(), p: z.string().optional(), n: z.string().optional() })),
})
export const parseSeries = (body: unknown): (Curve & { type: SeriesType })[] =>
  shaped(z.object({ series: z.array(SeriesRow) }), body).series.map(({ usage_point_id, type, step, points }) => {
    const direction = type === 'prod' || type === 'surplus' ? ('production' as const) : ('consumption' as const)
    const readings = points.map(({ v, d, p, n }) => ({ value: v ?? null, stamp: d, step: p ?? step, nature: n }))
    return { ...toCurve(usage_point_id ?? '', direction, readings, null), type }
  })

const Quantities = z.object({
  unit: z.string().default('kWh'),
  quantities: z.array(
    z.object({
      type: Type,
      calendar_type: z.string().default(''),
      quantities: z.array(z.object({ name: z.string(), value: z.coerce.number() })),
    }),
  ),
})
const SCALE: Record<string, number> = { Wh: 1, kWh: 1000, MWh: 1_000_000 }
export function parseQuantities(body: unknown): Quantity[] {
  const { unit, quantities } = shaped(Quantities, body)
  const scale = SCALE[unit] ?? 1000
  return quantities.flatMap(({ type, calendar_type, quantities: named }) =>
    named.map(({ name, value }) => ({ type, calendar: calendar_type, name, wh: Math.round(value * scale) })),
  )
}

const Services = z.object({
  serviceSouscrit: z
    .array(
      z.object({
        etatCode: z.string().optional(),
        dateDebut: day,
        dateFin: day,
        mesuresTypeCode: z.string().default(''),
      }),
    )
    .default([]),
})
export const parseServices = (body: unknown): Service[] =>
  shaped(Services, body).serviceSouscrit.map(({ etatCode, dateDebut, dateFin, mesuresTypeCode }) => ({
    active: etatCode === 'ACTIF',
    startsOn: dateDebut,
    endsOn: dateFin,
    kind: mesuresTypeCode,
  }))
