import { NBSP, plain, quoted } from '../french.ts'
import { createClock } from './clock.ts'
import { directionOf, isActive, isStep, stepOf, unitOf } from './codes.ts'
import { refuse } from './foreign.ts'
import { createCurve, createFile, createReading, isPrm, type RawCurve, type RawFile } from './raw.ts'
import { addReading, setReading } from './reading.ts'
import type { Report } from './report.ts'
import { createRow, readRow } from './rows.ts'
import type { Source, TextBytes } from './text.ts'
import { type Choices, QUALITY } from './types.ts'

export const isHdm = (header: string) => /^"?identifiant prm"?[;,\t]"?type de donnees/.test(plain(header))

type Section = { curve: RawCurve | null; step: number; quality: number; kind: string }

/**
 * Three lines of headers (names, what the curve is, `Horodate;Valeur`), then the readings; one file may hold several such
 * sections, some of them of index. The customer space writes the same layout. Points above 36 kVA are stamped at the start of
 * the interval, the others at its end: only the data tell.
 */
export function readHdm(name: string, { text, separator }: Source, report: Report, choices: Choices): RawFile {
  const { bytes } = text
  const format = /conso_|prod_/i.test(name) && !/hdm/i.test(name) ? 'customer-csv' : 'hdm'
  const file = createFile({ format, encoding: text.encoding, stamp: null, zone: null })
  const row = createRow(64)
  const clock = createClock(file)
  const reading = createReading(bytes)
  const kinds = new Set<string>()
  let section: Section | null = null
  let header: string[] = []
  for (let line = 1; row.next < bytes.length; line++) {
    readRow(bytes, row.next, separator, row)
    const first = bytes[row.bounds[0] ?? 0] ?? 0
    // 'I' opens a section, 'H' names its two columns; readings start with a digit, as does the line that describes them.
    if (first === 73) {
      header = cells(text, row.bounds, row.fields).map(plain)
      section = null
    } else if (header.length > 0 && row.end > row.start) {
      section = openSection(header, cells(text, row.bounds, row.fields), file, report, line, choices)
      kinds.add(section.kind)
      header = []
    } else if (section?.curve && first >= 48 && first <= 57) {
      file.rows++
      reading.line = line
      reading.step = section.step
      reading.quality = section.quality
      setReading(reading, row, 0, 1)
      addReading(section.curve, clock, report, reading)
    }
  }
  if (file.curves.length === 0)
    throw refuse(
      `Cet historique ne contient pas de courbe de charge${NBSP}: ${[...kinds].map(quoted).join(', ') || 'il est vide'}.`,
    )
  return file
}

const cells = (text: TextBytes, bounds: Int32Array, fields: number) =>
  Array.from({ length: Math.min(fields, 32) }, (_, n) => text.decode(bounds[n * 2] ?? 0, bounds[n * 2 + 1] ?? 0))

function openSection(
  header: string[],
  meta: string[],
  file: RawFile,
  report: Report,
  line: number,
  choices: Choices,
): Section {
  const cell = (name: string) => meta[header.indexOf(name)] ?? ''
  const kind = cell('type de donnees')
  const step = stepOf(cell('pas en minutes'))
  const section: Section = { curve: null, step: isStep(step) ? step : 0, quality: QUALITY.raw, kind }
  if (plain(kind) !== 'courbe de charge' || !isActive(cell('grandeur physique'))) return section
  if (/corrig|best/.test(plain(cell('etape metier')))) section.quality = QUALITY.corrected
  const written = cell('identifiant prm')
  const prm = isPrm(written) ? written : (choices.prm ?? '')
  if (!prm)
    report.error(
      'bad-prm',
      line,
      '',
      () =>
        `Ligne ${line}${NBSP}: ${quoted(written)} n’est pas un PRM de 14 chiffres. Choisissez le point de cette courbe.`,
    )
  const direction = directionOf(cell('grandeur metier'))
  section.curve = file.curves.find((curve) => curve.prm === prm && curve.direction === direction) ?? null
  if (!section.curve) {
    section.curve = createCurve(prm, direction, unitOf(cell('unite')))
    file.curves.push(section.curve)
  }
  return section
}
