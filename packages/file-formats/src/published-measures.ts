import { z } from 'zod'
import {
  isActiveQuantity,
  isKnownStep,
  parseDirection,
  parseQuality,
  parseStep,
  parseTextReading,
  parseUnit,
} from './cell-values.ts'
import { FileRefusedError } from './curve-file-types.ts'
import { NBSP } from './french.ts'
import { createRawCurve, createRawFile, type ParseReport, type RawCurve, type RawFile } from './raw-curves.ts'
import { createStampClock } from './timestamps.ts'

const text = z.union([z.string(), z.number()]).transform(String)
const Value = z.object({ d: z.string(), v: text.nullish() })
const Dial = z.object({ idClasseTemporelle: z.string().default(''), valeur: z.array(Value).default([]) })
const Point = z.object({
  d: z.string(),
  v: text.nullish(),
  p: z.string().nullish(),
  n: z.string().nullish(),
  iv: text.nullish(),
})
const Quantity = z.object({
  grandeurMetier: z.string().default(''),
  grandeurPhysique: z.string().default(''),
  unite: z.string().default(''),
  calendrier: z
    .array(z.object({ idCalendrier: z.string().default(''), classeTemporelle: z.array(Dial).default([]) }))
    .default([]),
  cadranTotalisateur: z.object({ valeur: z.array(Value).default([]) }).nullish(),
  points: z.array(Point).default([]),
})
const Context = z.object({ etapeMetier: z.string().nullish(), grandeur: z.array(Quantity).default([]) })
const Measure = Context.extend({
  idPrm: z.string().regex(/^\d{14}$/),
  contexte: z.array(Context).default([]),
})
const Publication = z.object({ header: z.object({ codeFlux: z.string() }), mesures: z.array(Measure) })
const Publications = z.union([Publication.transform((one) => [one]), z.array(Publication)])

type PublishedQuantity = z.output<typeof Quantity>
export type StampedValue = z.output<typeof Value>
export type PublishedMeasure = { prm: string; stage: string; quantity: PublishedQuantity }

/** The flow that a JSON says it is, from its first characters. */
export const getFlowCode = (head: string): string | undefined => /"codeFlux"\s*:\s*"(\w{1,8})"/.exec(head)?.[1]

export function parseJsonFile(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    throw new FileRefusedError(`Ce fichier JSON est incomplet ou mal formé${NBSP}: téléchargez-le de nouveau.`)
  }
}

/** Each quantity of each point, wherever this publication of measures puts it. */
export function parsePublishedQuantities(body: unknown): PublishedMeasure[] {
  const read = Publications.safeParse(body)
  if (!read.success) {
    const [issue] = read.error.issues
    throw new FileRefusedError(
      `Ce JSON n’a pas la forme d’une publication de mesures du distributeur, vers «${NBSP}${issue?.path.join('.') ?? ''}${NBSP}».`,
    )
  }
  return read.data.flatMap(({ mesures }) =>
    mesures.flatMap((measure) =>
      [measure, ...measure.contexte].flatMap((context) =>
        context.grandeur.map((quantity) => ({
          prm: measure.idPrm,
          quantity,
          stage: context.etapeMetier ?? measure.etapeMetier ?? '',
        })),
      ),
    ),
  )
}

/** The same curves as the CSV, point by point. */
export function parseR63Json(body: unknown, report: ParseReport): RawFile {
  const file = createRawFile({ format: 'r63', encoding: 'utf-8', stamp: 'end', zone: 'Europe/Paris' })
  const clock = createStampClock(file)
  const curves = new Map<string, RawCurve>()
  for (const published of parsePublishedQuantities(body)) {
    const { prm, quantity } = published
    if (!isActiveQuantity(quantity.grandeurPhysique) || quantity.points.length === 0) continue
    const curve = getOrCreateCurve(curves, prm, quantity)
    file.rows += quantity.points.length
    addPoints(curve, clock, report, published)
  }
  file.curves.push(...curves.values())
  return file
}

function getOrCreateCurve(curves: Map<string, RawCurve>, prm: string, quantity: PublishedQuantity): RawCurve {
  const direction = parseDirection(quantity.grandeurMetier)
  const unit = parseUnit(quantity.unite)
  if (!unit) throw new FileRefusedError(`L’unité de la courbe du point ${prm} n’est pas reconnue.`)
  const key = `${prm} ${direction}`
  const curve = curves.get(key) ?? createRawCurve(prm, direction, unit)
  if (curve.unit !== unit) throw new FileRefusedError(`L’unité change dans la courbe du point ${prm}.`)
  curves.set(key, curve)
  return curve
}

function addPoints(
  curve: RawCurve,
  clock: ReturnType<typeof createStampClock>,
  report: ParseReport,
  { stage, quantity: { points } }: PublishedMeasure,
): void {
  for (const [n, { d, v, p, n: nature, iv }] of points.entries()) {
    const step = parseStep(p ?? '')
    parseTextReading(curve, clock, report, {
      stamp: d,
      value: v ?? '',
      line: n + 1,
      step: isKnownStep(step) ? step : 0,
      quality: parseQuality({ stage, nature: nature ?? '', plausibility: iv ?? '' }),
    })
  }
}
