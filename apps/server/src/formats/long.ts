import { foldText, formatFrenchNumber, NBSP, quoteText } from '../french.ts'
import { createStampClock } from './clock.ts'
import { isKnownStep, parseDirection, parseStep, parseUnit } from './codes.ts'
import { createRefusal } from './foreign.ts'
import { findValueColumns, parseUnitInTitle, type TableLayout } from './layout.ts'
import { MAX_CURVES } from './limits.ts'
import { createRawCurve, createRawFile, createReadingLocation, isPrm, type RawCurve, type RawFile } from './raw.ts'
import { parseReading, pointReadingAt } from './reading.ts'
import type { ParseReport } from './report.ts'
import { createCsvRow, splitCsvRow } from './rows.ts'
import { createStampCellReader } from './stamp-cell.ts'
import type { CsvSource } from './text.ts'
import { FileRefusedError, QUALITY_CODES } from './types.ts'

/** One row for each point and stamp: the column of the point says whose it is. */
export function parseLongTable(source: CsvSource, layout: TableLayout, report: ParseReport): RawFile {
  const { text, separator, headerLine } = source
  const { bytes } = text
  const valueAt = requireSingleValueColumn(layout)
  const zone = layout.legal ? 'Europe/Paris' : null
  const file = createRawFile({ format: 'long', encoding: text.encoding, stamp: layout.stamp, zone })
  const row = createCsvRow(layout.titles.length)
  splitCsvRow(bytes, source.from, separator, row)
  const clock = createStampClock(file)
  const reading = createReadingLocation(bytes)
  const stamps = createStampCellReader(bytes, layout)
  const cell = (at: number) =>
    at < 0 || at >= row.fields ? '' : text.decode(row.bounds[at * 2] ?? 0, row.bounds[at * 2 + 1] ?? 0)
  const curveOf = createCurveFinder(file, report, parseUnitInTitle(layout.titles[valueAt] ?? ''))
  for (let line = headerLine + 1; row.next < bytes.length; line++) {
    splitCsvRow(bytes, row.next, separator, row)
    if (row.end - row.start < 2) continue
    file.rows++
    const curve = curveOf(cell(layout.prmAt), cell(layout.directionAt), cell(layout.unitAt), line)
    if (!curve) continue
    pointReadingAt(reading, row, layout.stampAt, valueAt)
    stamps(row, reading)
    reading.line = line
    const step = parseStep(cell(layout.stepAt))
    reading.step = isKnownStep(step) ? step : 0
    reading.quality = parseNature(cell(layout.natureAt))
    parseReading(curve, clock, report, reading)
  }
  return file
}

export const parseNature = (text: string): number =>
  /estim/.test(foldText(text))
    ? QUALITY_CODES.estimated
    : /corrig/.test(foldText(text))
      ? QUALITY_CODES.corrected
      : QUALITY_CODES.raw

function requireSingleValueColumn(layout: TableLayout): number {
  const [first, ...more] = findValueColumns(layout)
  if (first === undefined) throw createRefusal('Aucune colonne de ce tableau ne tient de valeurs.')
  if (more.length > 0)
    throw createRefusal(
      `Plusieurs colonnes de ce tableau peuvent tenir les valeurs${NBSP}: ${[first, ...more].map((at) => quoteText(layout.titles[at] ?? '')).join(', ')}. Gardez-en une.`,
    )
  return first
}

function createCurveFinder(file: RawFile, report: ParseReport, titled: RawCurve['unit']) {
  const curves = new Map<string, RawCurve>()
  return (written: string, side: string, unitCell: string, line: number): RawCurve | null => {
    const prm = written.replace(/[\s.]/g, '')
    const direction = parseDirection(side)
    const unit = parseUnit(unitCell) ?? titled
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
      const what = () => `Ligne ${line}${NBSP}: ${quoteText(written)} n’est pas un PRM. Attendu${NBSP}: 14 chiffres.`
      report.error('bad-prm', line, '', what)
      return null
    }
    if (curves.size >= MAX_CURVES)
      throw new FileRefusedError(
        `Ce fichier a plus de ${formatFrenchNumber(MAX_CURVES)} courbes. Partagez-le par groupe de points.`,
      )
    const curve = createRawCurve(prm, direction, unit)
    curves.set(`${prm} ${direction}`, curve)
    file.curves.push(curve)
    return curve
  }
}
