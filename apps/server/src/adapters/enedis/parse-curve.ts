import { z } from 'zod'
import { EnedisError, faultOf } from './faults.ts'
import { createStampReader, stepOf } from './stamps.ts'
import type { Curve, CurvePoint, Direction } from './types.ts'

const MOST_WATTS = 100_000_000
const text = z.union([z.string(), z.number()]).transform(String)

export const unreadable = (message: string, cause?: unknown) =>
  new EnedisError(faultOf('unreadable', null, message), { cause })

/** What does not have the shape we know is refused whole; what it says more is not our business. */
export function shaped<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const read = schema.safeParse(body)
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw unreadable(`${issue?.path.join('.')}: ${issue?.message}`, read.error)
}

/** An answer about another point than the one that was asked for is not an answer. */
export function about(asked: string | undefined, answered: string | undefined): void {
  if (asked !== undefined && answered !== undefined && asked !== answered)
    throw unreadable(`an answer about ${answered.slice(0, 40)}`)
}

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
  const watts = Number(value)
  if (!Number.isFinite(watts) || watts < 0 || watts > MOST_WATTS) throw unreadable(`value ${value.slice(0, 40)}`)
  return Math.round(watts)
}

/** Sorted and without repeats: the last word on an instant counts. */
export function toCurve(prm: string, direction: Direction, readings: Reading[], step: number | null): Curve {
  const at = createStampReader()
  const points = new Map<number, CurvePoint>()
  for (const reading of readings) {
    const end = at(reading.stamp)
    const minutes = stepOf(reading.step) ?? step
    if (end === null || minutes === null) throw unreadable(`stamp ${reading.stamp.slice(0, 40)} ${reading.step ?? ''}`)
    const watts = wattsOf(reading.value)
    if (watts !== null) points.set(end, { end, minutes, watts, quality: qualityOf(reading) })
  }
  return { prm, direction, points: [...points.values()].sort((a, b) => a.end - b.end) }
}

/** DataConnect 2026, second form. */
const V2 = z.object({
  idPrm: text,
  etapeMetier: z.string().optional(),
  grandeur: z.array(
    z.object({
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

export function parseV2(body: unknown, direction: Direction): Curve {
  const { idPrm, etapeMetier, grandeur } = shaped(V2, body)
  const powers = grandeur.filter(
    ({ grandeurPhysique, unite }) => (grandeurPhysique ?? 'PA') === 'PA' && (unite ?? 'W') === 'W',
  )
  const readings = powers.flatMap(({ points }) =>
    points.map(({ v, d, p, n, iv }) => ({
      value: v ?? null,
      stamp: d,
      step: p,
      nature: etapeMetier === 'BEST' ? 'C' : n,
      plausibility: iv ?? '',
    })),
  )
  return toCurve(idPrm, direction, readings, null)
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

const summed = (value: z.output<typeof One> | null | undefined) =>
  Array.isArray(value) ? String(value.reduce((sum, one) => sum + Number(one), 0)) : (value ?? null)
const firstOf = (value: string | string[]) => (Array.isArray(value) ? (value[0] ?? '') : value)

export function parseV5(body: unknown, direction: Direction): Curve {
  const { usage_point_id, quality, reading_type, interval_reading } = shaped(V5, body).meter_reading
  const readings = interval_reading.map(({ value, date, interval_length, measure_type }) => ({
    value: summed(value),
    stamp: firstOf(date),
    step: interval_length ?? reading_type?.interval_length,
    nature: quality && quality !== 'BRUT' ? 'C' : measure_type,
  }))
  return toCurve(usage_point_id, direction, readings, null)
}
