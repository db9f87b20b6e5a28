import { NBSP, quoteText } from '@voisol/file-formats/french'
import { z } from 'zod'
import {
  createMismatchFault,
  createUnreadableFault,
  describeReceivedValue,
  parseEnedisAnswer,
  type RequestedPeriod,
  requireConsistentSteps,
  requirePointsOfPeriod,
  requireSamePoint,
  requireUnit,
} from './check-response.ts'
import { parseStamps, parseStepMinutes } from './enedis-timestamps.ts'
import type { Direction, EnedisCurve, EnedisCurvePoint } from './enedis-types.ts'

const MAX_WATTS = 100_000_000
const text = z.union([z.string(), z.number()]).transform(String)

const QUALITIES: Record<string, EnedisCurvePoint['quality']> = {
  B: 'raw',
  R: 'raw',
  C: 'corrected',
  BEST: 'corrected',
  E: 'estimated',
  P: 'estimated',
}
/** A plausibility index other than 0: the distributor doubts its own value. */
const toQuality = ({ nature, plausibility = '' }: RawReading): EnedisCurvePoint['quality'] =>
  /^0*$/.test(plausibility) ? (QUALITIES[(nature ?? 'B').toUpperCase()] ?? 'raw') : 'doubtful'

type RawReading = {
  value: string | null
  stamp: string
  step: string | undefined
  nature: string | undefined
  plausibility?: string | undefined
}

/** An impossible value makes the answer invalid; an empty one is a gap. */
function parseWatts(value: string | null): number | null {
  if (value === null || value.trim() === '') return null
  const watts = /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : Number.NaN
  if (!(watts <= MAX_WATTS))
    throw createUnreadableFault(
      `Une puissance en W, positive, était attendue${NBSP}; reçu${NBSP}: ${describeReceivedValue(value)}.`,
    )
  return Math.round(watts)
}

/**
 * Sorted without duplicates (the last value of an instant counts), limited to the requested days, with the stated steps
 * checked.
 */
export function toEnedisCurve(
  prm: string,
  direction: Direction,
  readings: RawReading[],
  span: RequestedPeriod,
): EnedisCurve {
  const ends = parseStamps(readings.map(({ stamp }) => stamp))
  const points = new Map<number, EnedisCurvePoint>()
  for (const [at, reading] of readings.entries()) {
    const [end = null, minutes] = [ends[at], parseStepMinutes(reading.step)]
    if (end === null) throw createStampFault(reading.stamp)
    if (minutes === null)
      throw createUnreadableFault(
        `Pas de temps inconnu${NBSP}: reçu ${describeReceivedValue(reading.step)} pour ${quoteText(reading.stamp)}.`,
      )
    const watts = parseWatts(reading.value)
    if (watts !== null) points.set(end, { end, minutes, watts, quality: toQuality(reading) })
  }
  const sorted = [...points.values()].sort((a, b) => a.end - b.end)
  requireConsistentSteps(sorted)
  return { prm, direction, points: requirePointsOfPeriod(sorted, span) }
}

function createStampFault(stamp: string) {
  if (parseStamps([stamp])[0] === null)
    return createUnreadableFault(
      `Horodate illisible${NBSP}: ${quoteText(stamp)}, par exemple 2026-03-12 00:30:00 était attendu.`,
    )
  return createMismatchFault(
    `L’horodate ${quoteText(stamp)} revient sans ordre${NBSP}: heure d’été ou heure d’hiver, rien ne le dit.`,
  )
}

/** DataConnect 2026, second form. */
const V2 = z.object({
  idPrm: text,
  etapeMetier: z.string().optional(),
  grandeur: z.array(
    z.object({
      grandeurMetier: z.string().optional(),
      grandeurPhysique: z.string().optional(),
      unite: z.string().optional(),
      points: z.array(
        z.object({
          v: text.nullish(),
          d: z.string(),
          p: z.string().optional(),
          n: z.string().optional(),
          iv: text.nullish(),
        }),
      ),
    }),
  ),
})

type CurveRequest = RequestedPeriod & { prm: string; direction: Direction }
const DIRECTION_CODES: Record<Direction, string> = { consumption: 'CONS', production: 'PROD' }

export function parseCurveV2(body: unknown, { prm, direction, ...span }: CurveRequest): EnedisCurve {
  const { idPrm, etapeMetier, grandeur } = parseEnedisAnswer(V2, body)
  requireSamePoint(prm, idPrm)
  const powers = grandeur.filter(({ grandeurPhysique = 'PA' }) => grandeurPhysique === 'PA')
  if (!powers.length) throw createMismatchFault('La réponse ne donne pas de puissance active (PA), qui était demandée.')
  for (const { unite, grandeurMetier = DIRECTION_CODES[direction] } of powers) {
    requireUnit(unite, 'W')
    if (grandeurMetier !== DIRECTION_CODES[direction])
      throw createMismatchFault(
        `La réponse est de sens ${quoteText(grandeurMetier)}${NBSP}; ${DIRECTION_CODES[direction]} était demandé.`,
      )
  }
  const readings = powers.flatMap(({ points }) =>
    points.map(({ v, d, p, n, iv }) => ({
      value: v ?? null,
      stamp: d,
      step: p,
      nature: etapeMetier === 'BEST' ? 'C' : n,
      plausibility: iv ?? '',
    })),
  )
  return toEnedisCurve(idPrm, direction, readings, span)
}

/** Three-phase meters give three values per instant. */
const ValueOrPhases = z.union([text, z.array(text).min(1)])
/** DataConnect v5, the first format of 2026 and the contract holder's interface. */
const V5 = z.object({
  meter_reading: z.object({
    usage_point_id: text,
    quality: z.string().optional(),
    reading_type: z
      .object({ interval_length: z.string().optional(), unit: z.string().optional() })
      .partial()
      .optional(),
    interval_reading: z.array(
      z.object({
        value: ValueOrPhases.nullish(),
        date: z.union([z.string(), z.array(z.string()).min(1)]),
        interval_length: z.string().optional(),
        measure_type: z.string().optional(),
      }),
    ),
  }),
})

/** A phase without a value leaves the sum unknown. */
const sumPhases = (value: z.output<typeof ValueOrPhases> | null | undefined) => {
  if (!Array.isArray(value)) return value ?? null
  const parts = value.map(parseWatts)
  return parts.includes(null) ? null : String(parts.reduce<number>((sum, part) => sum + (part ?? 0), 0))
}
const getFirst = (value: string | string[]) => (Array.isArray(value) ? (value[0] ?? '') : value)

export function parseCurveV5(body: unknown, { prm, direction, ...span }: CurveRequest): EnedisCurve {
  const { usage_point_id, quality, reading_type, interval_reading } = parseEnedisAnswer(V5, body).meter_reading
  requireSamePoint(prm, usage_point_id)
  requireUnit(reading_type?.unit, 'W')
  const readings = interval_reading.map(({ value, date, interval_length, measure_type }) => ({
    value: sumPhases(value),
    stamp: getFirst(date),
    step: interval_length ?? reading_type?.interval_length,
    nature: quality && quality !== 'BRUT' ? 'C' : measure_type,
  }))
  return toEnedisCurve(usage_point_id, direction, readings, span)
}
