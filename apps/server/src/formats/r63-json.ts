import { createClock } from './clock.ts'
import { directionOf, isActive, isStep, qualityIn, stepOf, unitOf } from './codes.ts'
import { flowOf, type Published, type Quantities, quantitiesOf } from './publication.ts'
import { createCurve, createFile, type RawCurve, type RawFile } from './raw.ts'
import { addTexts } from './reading.ts'
import type { Report } from './report.ts'
import { FileRefused } from './types.ts'

export const isR63Json = (head: string) => flowOf(head) === 'R63'

/** The same curves as the CSV, point by point. */
export function readR63Json(body: unknown, report: Report): RawFile {
  const file = createFile({ format: 'r63', encoding: 'utf-8', stamp: 'end', zone: 'Europe/Paris' })
  const clock = createClock(file)
  const curves = new Map<string, RawCurve>()
  for (const published of quantitiesOf(body)) {
    const { prm, quantity } = published
    if (!isActive(quantity.grandeurPhysique) || quantity.points.length === 0) continue
    const curve = curveOf(curves, prm, quantity)
    file.rows += quantity.points.length
    addPoints(curve, clock, report, published)
  }
  file.curves.push(...curves.values())
  return file
}

function curveOf(curves: Map<string, RawCurve>, prm: string, quantity: Quantities): RawCurve {
  const direction = directionOf(quantity.grandeurMetier)
  const unit = unitOf(quantity.unite)
  if (!unit) throw new FileRefused(`L’unité de la courbe du point ${prm} n’est pas reconnue.`)
  const key = `${prm} ${direction}`
  const curve = curves.get(key) ?? createCurve(prm, direction, unit)
  if (curve.unit !== unit) throw new FileRefused(`L’unité change dans la courbe du point ${prm}.`)
  curves.set(key, curve)
  return curve
}

function addPoints(
  curve: RawCurve,
  clock: ReturnType<typeof createClock>,
  report: Report,
  { stage, quantity: { points } }: Published,
): void {
  for (const [n, { d, v, p, n: nature, iv }] of points.entries()) {
    const step = stepOf(p ?? '')
    addTexts(curve, clock, report, {
      stamp: d,
      value: v ?? '',
      line: n + 1,
      step: isStep(step) ? step : 0,
      quality: qualityIn({ stage, nature: nature ?? '', plausibility: iv ?? '' }),
    })
  }
}
