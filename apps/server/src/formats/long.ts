import { frenchNumber, NBSP, plain, quoted } from '../french.ts'
import { createClock } from './clock.ts'
import { directionOf, isStep, stepOf, unitOf } from './codes.ts'
import { refuse } from './foreign.ts'
import { type Layout, unitIn, valueColumns } from './layout.ts'
import { MAX_CURVES } from './limits.ts'
import { createCurve, createFile, createReading, isPrm, type RawCurve, type RawFile } from './raw.ts'
import { addReading, setReading } from './reading.ts'
import type { Report } from './report.ts'
import { createRow, readRow } from './rows.ts'
import { createStampCell } from './stamp-cell.ts'
import type { Source } from './text.ts'
import { FileRefused, QUALITY } from './types.ts'

/** One row for each point and stamp: the column of the point says whose it is. */
export function readLong(source: Source, layout: Layout, report: Report): RawFile {
  const { text, separator, headerLine } = source
  const { bytes } = text
  const valueAt = onlyValue(layout)
  const zone = layout.legal ? 'Europe/Paris' : null
  const file = createFile({ format: 'long', encoding: text.encoding, stamp: layout.stamp, zone })
  const row = createRow(layout.titles.length)
  readRow(bytes, source.from, separator, row)
  const clock = createClock(file)
  const reading = createReading(bytes)
  const stamps = createStampCell(bytes, layout)
  const cell = (at: number) =>
    at < 0 || at >= row.fields ? '' : text.decode(row.bounds[at * 2] ?? 0, row.bounds[at * 2 + 1] ?? 0)
  const curveOf = createCurves(file, report, unitIn(layout.titles[valueAt] ?? ''))
  for (let line = headerLine + 1; row.next < bytes.length; line++) {
    readRow(bytes, row.next, separator, row)
    if (row.end - row.start < 2) continue
    file.rows++
    const curve = curveOf(cell(layout.prmAt), cell(layout.directionAt), cell(layout.unitAt), line)
    if (!curve) continue
    setReading(reading, row, layout.stampAt, valueAt)
    stamps(row, reading)
    reading.line = line
    const step = stepOf(cell(layout.stepAt))
    reading.step = isStep(step) ? step : 0
    reading.quality = natureOf(cell(layout.natureAt))
    addReading(curve, clock, report, reading)
  }
  return file
}

export const natureOf = (text: string): number =>
  /estim/.test(plain(text)) ? QUALITY.estimated : /corrig/.test(plain(text)) ? QUALITY.corrected : QUALITY.raw

function onlyValue(layout: Layout): number {
  const [first, ...more] = valueColumns(layout)
  if (first === undefined) throw refuse('Aucune colonne de ce tableau ne tient de valeurs.')
  if (more.length > 0)
    throw refuse(
      `Plusieurs colonnes de ce tableau peuvent tenir les valeurs${NBSP}: ${[first, ...more].map((at) => quoted(layout.titles[at] ?? '')).join(', ')}. Gardez-en une.`,
    )
  return first
}

function createCurves(file: RawFile, report: Report, titled: RawCurve['unit']) {
  const curves = new Map<string, RawCurve>()
  return (written: string, side: string, unitCell: string, line: number): RawCurve | null => {
    const prm = written.replace(/[\s.]/g, '')
    const direction = directionOf(side)
    const unit = unitOf(unitCell) ?? titled
    const known = curves.get(`${prm} ${direction}`)
    if (known && known.unit === unit) return known
    if (known) {
      report.error(
        'unreadable',
        line,
        prm,
        () => `Ligne ${line}${NBSP}: l’unité change dans la courbe du point ${prm}.`,
      )
      return null
    }
    if (!isPrm(prm)) {
      const what = () => `Ligne ${line}${NBSP}: ${quoted(written)} n’est pas un PRM. Attendu${NBSP}: 14 chiffres.`
      report.error('bad-prm', line, '', what)
      return null
    }
    if (curves.size >= MAX_CURVES)
      throw new FileRefused(
        `Ce fichier a plus de ${frenchNumber(MAX_CURVES)} courbes. Partagez-le par groupe de points.`,
      )
    const curve = createCurve(prm, direction, unit)
    curves.set(`${prm} ${direction}`, curve)
    file.curves.push(curve)
    return curve
  }
}
