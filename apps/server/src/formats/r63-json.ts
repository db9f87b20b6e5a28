import { createStampClock } from './clock.ts'
import { isActiveQuantity, isKnownStep, parseDirection, parseQuality, parseStep, parseUnit } from './codes.ts'
import { getFlowCode, type PublishedMeasure, type PublishedQuantity, parsePublishedQuantities } from './publication.ts'
import { createRawCurve, createRawFile, type RawCurve, type RawFile } from './raw.ts'
import { parseTextReading } from './reading.ts'
import type { ParseReport } from './report.ts'
import { FileRefusedError } from './types.ts'

export const isR63Json = (head: string) => getFlowCode(head) === 'R63'

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
