import { isDay } from '@voisol/energy/calendar'
import { formatFrenchDay, NBSP, quoteText } from '@voisol/file-formats/french'
import { z } from 'zod'
import { SERIES_TYPES_BY_ROLE } from './call-templates.ts'
import {
  createMismatchFault,
  createUnreadableFault,
  describeReceivedValue,
  parseEnedisAnswer,
  type RequestedPeriod,
  requireSamePeriod,
  requireSamePoint,
  requireUnit,
} from './check-response.ts'
import {
  type AgreementPoint,
  type EnedisAgreement,
  type EnedisCurve,
  type EnedisQuantity,
  SERIES_TYPES,
  type SeriesType,
  type SubscribedService,
} from './enedis-types.ts'
import { toEnedisCurve } from './parse-curve.ts'

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
/** Refuses an answer that names another agreement than the one requested. */
function requireSameAgreement(asked: string, answered: string | null | undefined): void {
  if (answered && asked !== answered)
    throw createMismatchFault(
      `La réponse parle de la convention ${answered.slice(0, 40)}${NBSP}; ${asked} était demandée.`,
    )
}

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

const Answer = z.object({
  cons_id: text.nullish(),
  prod_id: text.nullish(),
  startDate: z.string().nullish(),
  endDate: z.string().nullish(),
  unit: z.string().nullish(),
  quantities: z.array(
    z.object({
      type: z.enum(SERIES_TYPES),
      calendar_type: z.string().default(''),
      quantities: z.array(z.object({ name: z.string().trim().min(1), value: z.unknown() })),
    }),
  ),
})

const SCALE: Record<string, number> = { Wh: 1, kWh: 1000, MWh: 1_000_000 }
/** A plant of one gigawatt produces less in a month. */
const MAX_MONTHLY_WH = 1_000_000_000_000
/** The distributor's own time classes; suppliers may have others. */
const GRID_CALENDAR = 'DISTRIB'
const GRID_CLASSES = new Set(['P', 'HPH', 'HCH', 'HPB', 'HCB'])

type QuantitiesRequest = { prm: string; role: 'cons' | 'prod'; from: string; to: string }

const describeClass = ({ type, name }: Pick<EnedisQuantity, 'type' | 'name'>) =>
  `La classe ${name} de ${quoteText(type)}`

/** An empty text is a missing value: the month is then refused, and never counted as zero. */
function parseEnergyWh(value: unknown, scale: number, which: Pick<EnedisQuantity, 'type' | 'name'>): number {
  if (value === null || value === undefined || value === '')
    throw createMismatchFault(`${describeClass(which)} n’a pas de valeur.`)
  const figure = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value
  if (typeof figure !== 'number' || !Number.isFinite(figure) || figure < 0 || figure * scale > MAX_MONTHLY_WH)
    throw createMismatchFault(
      `${describeClass(which)} devrait être une énergie positive${NBSP}; reçu${NBSP}: ${describeReceivedValue(value)}.`,
    )
  return Math.round(figure * scale)
}

/** Requires each requested class exactly once, and none of the other role. */
function requireExpectedClasses(found: EnedisQuantity[], role: 'cons' | 'prod'): void {
  const [stranger] = found.filter(({ type }) => !SERIES_TYPES_BY_ROLE[role].includes(type))
  if (stranger)
    throw createMismatchFault(`La réponse donne ${quoteText(stranger.type)}, qui n’était pas demandé pour ce point.`)
  for (const type of SERIES_TYPES_BY_ROLE[role])
    if (!found.some((one) => one.type === type))
      throw createMismatchFault(`La réponse ne donne pas ${quoteText(type)}, qui était demandé.`)
  const seen = new Set<string>()
  for (const { type, calendar, name } of found) {
    if (calendar === GRID_CALENDAR && !GRID_CLASSES.has(name))
      throw createMismatchFault(
        `${describeClass({ type, name })} n’est pas une classe du réseau (${[...GRID_CLASSES].join(', ')}).`,
      )
    const key = `${type} ${calendar} ${name}`
    if (seen.has(key)) throw createMismatchFault(`${describeClass({ type, name })} est donnée deux fois.`)
    seen.add(key)
  }
}

/**
 * Allocated plus complement must equal consumption, allocated plus surplus production, up to the rounding of one unit.
 */
function requireConsistentTotals(found: EnedisQuantity[], role: 'cons' | 'prod', unit: number): void {
  const [whole, ...parts] = SERIES_TYPES_BY_ROLE[role]
  for (const own of Map.groupBy(found, ({ calendar, name }) => `${calendar} ${name}`).values()) {
    const of = (wanted: string | undefined) => own.find(({ type }) => type === wanted)?.wh ?? 0
    const [total, sum] = [of(whole), parts.reduce((all, part) => all + of(part), 0)]
    if (Math.abs(total - sum) <= unit) continue
    const said = parts.map((part) => `${part} ${of(part) / 1000}`).join(' + ')
    throw createMismatchFault(
      `Les chiffres de la classe ${own[0]?.name} ne s’accordent pas${NBSP}: ${said} kWh pour ${whole} ${total / 1000} kWh.`,
    )
  }
}

/** The definitive quantities of a point, checked against the request. */
export function parseQuantities(body: unknown, { prm, role, from, to }: QuantitiesRequest): EnedisQuantity[] {
  const { cons_id, prod_id, startDate, endDate, unit, quantities } = parseEnedisAnswer(Answer, body)
  requireSamePoint(prm, role === 'cons' ? cons_id : prod_id)
  requireSamePeriod({ from, to }, { from: startDate, to: endDate })
  const scale = SCALE[unit ?? '']
  if (scale === undefined)
    throw createMismatchFault(
      `La réponse donne ${unit ? `l’unité ${quoteText(unit)}` : 'aucune unité'}${NBSP}; des kWh étaient attendus.`,
    )
  const found = quantities.flatMap(({ type, calendar_type: calendar, quantities: named }) =>
    named.map(({ name, value }) => ({ type, calendar, name, wh: parseEnergyWh(value, scale, { type, name }) })),
  )
  requireExpectedClasses(found, role)
  requireConsistentTotals(found, role, scale)
  return found
}
