import { z } from 'zod'
import { NBSP, quoted } from '../../french.ts'
import { about, inUnit, ofDays, onStep, type Span } from './held.ts'
import { mismatch, received, shaped, unreadable } from './shape.ts'
import { readStamps, stepOf } from './stamps.ts'
import type { Curve, CurvePoint, Direction } from './types.ts'

const MOST_WATTS = 100_000_000
const text = z.union([z.string(), z.number()]).transform(String)

const QUALITIES: Record<string, CurvePoint['quality']> = {
  B: 'raw',
  R: 'raw',
  C: 'corrected',
  BEST: 'corrected',
  E: 'estimated',
  P: 'estimated',
}
/** An index of plausibility that is not 0: the distributor doubts its own value. */
const qualityOf = ({ nature, plausibility = '' }: Reading): CurvePoint['quality'] =>
  /^0*$/.test(plausibility) ? (QUALITIES[(nature ?? 'B').toUpperCase()] ?? 'raw') : 'doubtful'

type Reading = {
  value: string | null
  stamp: string
  step: string | undefined
  nature: string | undefined
  plausibility?: string | undefined
}

/** A value that cannot be is a broken answer, not a hole; an empty one is a hole. */
function wattsOf(value: string | null): number | null {
  if (value === null || value.trim() === '') return null
  const watts = /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : Number.NaN
  if (!(watts <= MOST_WATTS))
    throw unreadable(`Une puissance en W, positive, était attendue${NBSP}; reçu${NBSP}: ${received(value)}.`)
  return Math.round(watts)
}

/** Sorted and without repeats, the last word on an instant counts; of the days that were asked for, on the steps they name. */
export function toCurve(prm: string, direction: Direction, readings: Reading[], span: Span): Curve {
  const ends = readStamps(readings.map(({ stamp }) => stamp))
  const points = new Map<number, CurvePoint>()
  for (const [at, reading] of readings.entries()) {
    const [end = null, minutes] = [ends[at], stepOf(reading.step)]
    if (end === null) throw stampFault(reading.stamp)
    if (minutes === null)
      throw unreadable(`Pas de temps inconnu${NBSP}: reçu ${received(reading.step)} pour ${quoted(reading.stamp)}.`)
    const watts = wattsOf(reading.value)
    if (watts !== null) points.set(end, { end, minutes, watts, quality: qualityOf(reading) })
  }
  const sorted = [...points.values()].sort((a, b) => a.end - b.end)
  onStep(sorted)
  return { prm, direction, points: ofDays(sorted, span) }
}

function stampFault(stamp: string) {
  if (readStamps([stamp])[0] === null)
    return unreadable(`Horodate illisible${NBSP}: ${quoted(stamp)}, par exemple 2026-03-12 00:30:00 était attendu.`)
  return mismatch(
    `L’horodate ${quoted(stamp)} revient sans ordre${NBSP}: heure d’été ou heure d’hiver, rien ne le dit.`,
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

export type AskedCurve = Span & { prm: string; direction: Direction }
const SIDES: Record<Direction, string> = { consumption: 'CONS', production: 'PROD' }

export function parseV2(body: unknown, { prm, direction, ...span }: AskedCurve): Curve {
  const { idPrm, etapeMetier, grandeur } = shaped(V2, body)
  about(prm, idPrm)
  const powers = grandeur.filter(({ grandeurPhysique = 'PA' }) => grandeurPhysique === 'PA')
  if (!powers.length) throw mismatch('La réponse ne donne pas de puissance active (PA), qui était demandée.')
  for (const { unite, grandeurMetier = SIDES[direction] } of powers) {
    inUnit(unite, 'W')
    if (grandeurMetier !== SIDES[direction])
      throw mismatch(`La réponse est de sens ${quoted(grandeurMetier)}${NBSP}; ${SIDES[direction]} était demandé.`)
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
  return toCurve(idPrm, direction, readings, span)
}

/** Three-phase points come as three values of one instant. */
const One = z.union([text, z.array(text).min(1)])
/** DataConnect v5, the first form of 2026 and the contract holder's interface. */
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
        value: One.nullish(),
        date: z.union([z.string(), z.array(z.string()).min(1)]),
        interval_length: z.string().optional(),
        measure_type: z.string().optional(),
      }),
    ),
  }),
})

/** A phase without a value leaves the sum unknown. */
const summed = (value: z.output<typeof One> | null | undefined) => {
  if (!Array.isArray(value)) return value ?? null
  const parts = value.map(wattsOf)
  return parts.includes(null) ? null : String(parts.reduce<number>((sum, part) => sum + (part ?? 0), 0))
}
const firstOf = (value: string | string[]) => (Array.isArray(value) ? (value[0] ?? '') : value)

export function parseV5(body: unknown, { prm, direction, ...span }: AskedCurve): Curve {
  const { usage_point_id, quality, reading_type, interval_reading } = shaped(V5, body).meter_reading
  about(prm, usage_point_id)
  inUnit(reading_type?.unit, 'W')
  const readings = interval_reading.map(({ value, date, interval_length, measure_type }) => ({
    value: summed(value),
    stamp: firstOf(date),
    step: interval_length ?? reading_type?.interval_length,
    nature: quality && quality !== 'BRUT' ? 'C' : measure_type,
  }))
  return toCurve(usage_point_id, direction, readings, span)
}
