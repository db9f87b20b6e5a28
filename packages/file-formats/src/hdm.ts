import {
  isActiveQuantity,
  isKnownStep,
  parseDirection,
  parseReading,
  parseStep,
  parseUnit,
  pointReadingAt,
} from './cell-values.ts'
import { type CsvSource, createCsvRow, splitCsvRow, type TextBytes } from './csv-text.ts'
import { type CurveFileChoices, QUALITY_CODES } from './curve-file-types.ts'
import { foldText, NBSP, quoteText } from './french.ts'
import {
  createRawCurve,
  createRawFile,
  createReadingLocation,
  isPrm,
  type ParseReport,
  type RawCurve,
  type RawFile,
} from './raw-curves.ts'
import { createStampClock } from './timestamps.ts'
import { createRefusal } from './unsupported-files.ts'

export const isHdmHeader = (header: string) => /^"?identifiant prm"?[;,\t]"?type de donnees/.test(foldText(header))

type Section = { curve: RawCurve | null; step: number; quality: number; kind: string }

/**
 * Three lines of headers (names, what the curve is, `Horodate;Valeur`), then the readings; one file may hold several such
 * sections, some of them of index. The customer space writes the same layout. Points above 36 kVA are stamped at the start of
 * the interval, the others at its end: only the data tell.
 */
export function parseHdm(
  name: string,
  { text, separator }: CsvSource,
  report: ParseReport,
  choices: CurveFileChoices,
): RawFile {
  const { bytes } = text
  const format = /conso_|prod_/i.test(name) && !/hdm/i.test(name) ? 'customer-csv' : 'hdm'
  const file = createRawFile({ format, encoding: text.encoding, stamp: null, zone: null })
  const row = createCsvRow(64)
  const clock = createStampClock(file)
  const reading = createReadingLocation(bytes)
  const kinds = new Set<string>()
  let section: Section | null = null
  let header: string[] = []
  for (let line = 1; row.next < bytes.length; line++) {
    splitCsvRow(bytes, row.next, separator, row)
    const first = bytes[row.bounds[0] ?? 0] ?? 0
    // 'I' opens a section, 'H' names its two columns; readings start with a digit, as does the line that describes them.
    if (first === 73) {
      header = decodeCells(text, row.bounds, row.fields).map(foldText)
      section = null
    } else if (header.length > 0 && row.end > row.start) {
      section = openSection(header, decodeCells(text, row.bounds, row.fields), file, report, line, choices)
      kinds.add(section.kind)
      header = []
    } else if (section?.curve && first >= 48 && first <= 57) {
      file.rows++
      reading.line = line
      reading.step = section.step
      reading.quality = section.quality
      pointReadingAt(reading, row, 0, 1)
      parseReading(section.curve, clock, report, reading)
    }
  }
  if (file.curves.length === 0)
    throw createRefusal(
      `Cet historique ne contient pas de courbe de charge${NBSP}: ${[...kinds].map(quoteText).join(', ') || 'il est vide'}.`,
    )
  return file
}

const decodeCells = (text: TextBytes, bounds: Int32Array, fields: number) =>
  Array.from({ length: Math.min(fields, 32) }, (_, n) => text.decode(bounds[n * 2] ?? 0, bounds[n * 2 + 1] ?? 0))

function openSection(
  header: string[],
  meta: string[],
  file: RawFile,
  report: ParseReport,
  line: number,
  choices: CurveFileChoices,
): Section {
  const cell = (name: string) => meta[header.indexOf(name)] ?? ''
  const kind = cell('type de donnees')
  const step = parseStep(cell('pas en minutes'))
  const section: Section = { curve: null, step: isKnownStep(step) ? step : 0, quality: QUALITY_CODES.raw, kind }
  if (foldText(kind) !== 'courbe de charge' || !isActiveQuantity(cell('grandeur physique'))) return section
  if (/corrig|best/.test(foldText(cell('etape metier')))) section.quality = QUALITY_CODES.corrected
  const written = cell('identifiant prm')
  const prm = isPrm(written) ? written : (choices.prm ?? '')
  if (!prm)
    report.error(
      'bad-prm',
      line,
      '',
      () =>
        `Ligne ${line}${NBSP}: ${quoteText(written)} n’est pas un PRM de 14 chiffres. Choisissez le point de cette courbe.`,
    )
  const direction = parseDirection(cell('grandeur metier'))
  section.curve = file.curves.find((curve) => curve.prm === prm && curve.direction === direction) ?? null
  if (!section.curve) {
    section.curve = createRawCurve(prm, direction, parseUnit(cell('unite')))
    file.curves.push(section.curve)
  }
  return section
}
