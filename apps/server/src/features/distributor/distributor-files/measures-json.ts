import { z } from 'zod'
import { assemble } from '../../../formats/assemble.ts'
import { createClock } from '../../../formats/clock.ts'
import { directionOf, isActive, isStep, qualityOf, stepOf, unitOf } from '../../../formats/codes.ts'
import { createCurve, createFile, type RawCurve } from '../../../formats/raw.ts'
import { addTexts } from '../../../formats/reading.ts'
import { createReport, type Report } from '../../../formats/report.ts'
import { type ParsedFile, QUALITY } from '../../../formats/types.ts'
import { NBSP } from '../../../french.ts'
import type { FoundIndex, Sink } from './found.ts'
import { Quarantined } from './refusal.ts'
import { dayOfStamp, scaleOf, whOf } from './tree.ts'

const text = z.union([z.string(), z.number()]).transform(String)
const Value = z.object({ d: z.string(), v: text.nullish() })
const Dial = z.object({ idClasseTemporelle: z.string().default(''), valeur: z.array(Value).default([]) })
const Quantity = z.object({
  grandeurMetier: z.string().default(''),
  grandeurPhysique: z.string().default(''),
  unite: z.string().default(''),
  calendrier: z
    .array(z.object({ idCalendrier: z.string().default(''), classeTemporelle: z.array(Dial).default([]) }))
    .default([]),
  cadranTotalisateur: z.object({ valeur: z.array(Value).default([]) }).nullish(),
  points: z
    .array(z.object({ d: z.string(), v: text.nullish(), p: z.string().nullish(), n: z.string().nullish() }))
    .default([]),
})
const Context = z.object({ etapeMetier: z.string().nullish(), grandeur: z.array(Quantity).default([]) })
const Measure = Context.extend({
  idPrm: z.string().regex(/^\d{14}$/),
  contexte: z.array(Context).default([]),
})
const Publication = z.object({ header: z.object({ codeFlux: z.string() }), mesures: z.array(Measure) })
const Publications = z.union([Publication.transform((one) => [one]), z.array(Publication)])
type Quantities = z.output<typeof Quantity>

type One = { prm: string; stage: string; quantity: Quantities }

/** Each quantity of each point, wherever this publication puts it. */
function quantitiesOf(body: unknown): One[] {
  const read = Publications.safeParse(body)
  if (!read.success) {
    const [issue] = read.error.issues
    throw new Quarantined(
      'content',
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

/** Indexes at the start of the day of their label. */
export async function readR64(body: unknown, sink: Sink): Promise<void> {
  const indexes = quantitiesOf(body).flatMap(indexesOf)
  if (indexes.length === 0) throw new Quarantined('content', 'Ce R64 ne contient aucun index d’énergie active.')
  await sink.indexes(indexes)
}

function indexesOf({ prm, quantity }: One): FoundIndex[] {
  const scale = scaleOf(quantity.unite)
  if (!scale || quantity.grandeurPhysique !== 'EA') return []
  const direction = directionOf(quantity.grandeurMetier) ?? 'consumption'
  const rows = (calendar: string, name: string, values: z.output<typeof Value>[]) =>
    values.flatMap(({ d, v }) =>
      v == null || v === ''
        ? []
        : [{ prm, direction, day: dayOfStamp(d, prm), calendar, name, wh: whOf(v, scale, prm), source: 'R64' }],
    )
  return [
    ...quantity.calendrier.flatMap(({ idCalendrier, classeTemporelle }) =>
      classeTemporelle.flatMap(({ idClasseTemporelle, valeur }) => rows(idCalendrier, idClasseTemporelle, valeur)),
    ),
    ...rows('', 'TOTAL', quantity.cadranTotalisateur?.valeur ?? []),
  ]
}

/** The same curves as the CSV, point by point. */
export function readR63Json(body: unknown): ParsedFile {
  const report = createReport()
  const file = createFile({ format: 'r63', encoding: 'utf-8', stamp: 'end', zone: 'Europe/Paris' })
  const clock = createClock(file)
  const curves = new Map<string, RawCurve>()
  for (const { prm, stage, quantity } of quantitiesOf(body)) {
    if (!isActive(quantity.grandeurPhysique) || quantity.points.length === 0) continue
    const curve = curveOf(curves, prm, quantity)
    file.rows += quantity.points.length
    addPoints(curve, clock, report, { stage, points: quantity.points })
  }
  file.curves.push(...curves.values())
  return assemble(file, {}, report)
}

function curveOf(curves: Map<string, RawCurve>, prm: string, quantity: Quantities): RawCurve {
  const direction = directionOf(quantity.grandeurMetier)
  const unit = unitOf(quantity.unite)
  if (!unit) throw new Quarantined('content', `L’unité de la courbe du point ${prm} n’est pas reconnue.`)
  const key = `${prm} ${direction}`
  const curve = curves.get(key) ?? createCurve(prm, direction, unit)
  if (curve.unit !== unit) throw new Quarantined('content', `L’unité change dans la courbe du point ${prm}.`)
  curves.set(key, curve)
  return curve
}

function addPoints(
  curve: RawCurve,
  clock: ReturnType<typeof createClock>,
  report: Report,
  { stage, points }: { stage: string; points: Quantities['points'] },
): void {
  const corrected = /^(best|corr)/i.test(stage)
  for (const [n, { d, v, p, n: nature }] of points.entries()) {
    const step = stepOf(p ?? '')
    addTexts(curve, clock, report, {
      stamp: d,
      value: v ?? '',
      line: n + 1,
      step: isStep(step) ? step : 0,
      quality: corrected ? QUALITY.corrected : qualityOf(nature ?? ''),
    })
  }
}
