import { parseTextReading } from './cell-values.ts'
import { type CsvSource, createCsvRow, splitCsvRow } from './csv-text.ts'
import { type CurveFileChoices, QUALITY_CODES } from './curve-file-types.ts'
import { foldText } from './french.ts'
import { createRawCurve, createRawFile, findPrmInName, type ParseReport, type RawFile } from './raw-curves.ts'
import { parseUnitInTitle } from './table-layout.ts'
import { createStampClock } from './timestamps.ts'

export const isEdfHeader = (header: string) =>
  /^"?date et heure de releve par le distributeur/.test(foldText(header)) &&
  foldText(header).includes('puissance atteinte')

type Line = { time: number; value: string; quality: number; line: number }
type Block = { day: string; lines: Line[] }

/**
 * « Mes puissances atteintes »: a line with the date of the day, then its half hours, the latest first. Stamps are the
 * distributor's, at the end of the interval on the clock of Paris; the midnight that closes a day stands under that day.
 */
export function parseEdf(name: string, source: CsvSource, report: ParseReport, choices: CurveFileChoices): RawFile {
  const file = createRawFile({ format: 'edf', encoding: source.text.encoding, stamp: 'end', zone: 'Europe/Paris' })
  const prm = choices.prm ?? findPrmInName(name)
  const curve = createRawCurve(prm, 'consumption', parseUnitInTitle(source.header))
  file.curves.push(curve)
  if (!prm)
    report.error(
      'bad-prm',
      1,
      '',
      () => 'Ni le fichier ni son nom ne donnent le PRM du point. Choisissez le point de cette courbe.',
    )
  const clock = createStampClock(file)
  for (const { day, lines } of listBlocks(source, file, report))
    for (const { time, value, quality, line } of lines) {
      const stamp = `${day} ${padTwoDigits(Math.floor(time / 60))}:${padTwoDigits(time % 60)}`
      parseTextReading(curve, clock, report, { stamp, value, line, step: 0, quality })
    }
  return file
}

const padTwoDigits = (value: number) => String(value).padStart(2, '0')

/** Days in their order, and the rows of each in the order of time: the hour that comes twice is told by it. */
function listBlocks({ text, separator, from, headerLine }: CsvSource, file: RawFile, report: ParseReport): Block[] {
  const blocks: Block[] = []
  const row = createCsvRow(8)
  row.next = from
  for (let line = headerLine; row.next < text.bytes.length; line++) {
    splitCsvRow(text.bytes, row.next, separator, row)
    const cell = (at: number) =>
      at < row.fields ? text.decode(row.bounds[at * 2] ?? 0, row.bounds[at * 2 + 1] ?? 0).trim() : ''
    const date = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(cell(0))
    const time = /^(\d{2}):(\d{2})(?::00)?$/.exec(cell(0))
    if (date) blocks.push({ day: `${date[3]}-${date[2]}-${date[1]}`, lines: [] })
    const block = blocks.at(-1)
    if (!time || !block) continue
    file.rows++
    const quality = /estim/.test(foldText(cell(2))) ? QUALITY_CODES.estimated : QUALITY_CODES.raw
    const now = { time: Number(time[1]) * 60 + Number(time[2]), value: cell(1), quality, line }
    const last = block.lines.at(-1)
    if (last && last.time === now.time && last.value === now.value)
      report.warning(
        'duplicate',
        line,
        '',
        () => `Ligne ${line}\u00a0: elle répète la ligne ${last.line}, et est ignorée.`,
      )
    else block.lines.push(now)
  }
  return blocks.map(sortBlock).sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))
}

function sortBlock({ day, lines }: Block): Block {
  const falls = lines.reduce((sum, { time }, at) => sum + Math.sign(time - (lines[at - 1]?.time ?? time)), 0)
  const midnight = lines[0]?.time === 0
  // Only its place tells the midnight that closes the day from the one that opens it.
  const rising = falls > 0 && !(midnight && lines[1] && lines[1].time > 720)
  const sorted = rising ? lines : lines.toReversed()
  return {
    day,
    lines: sorted.map((one, at) => (one.time === 0 && at === sorted.length - 1 ? { ...one, time: 1440 } : one)),
  }
}
