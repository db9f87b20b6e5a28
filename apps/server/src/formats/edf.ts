import { plain } from '../french.ts'
import { createClock } from './clock.ts'
import { unitIn } from './layout.ts'
import { createCurve, createFile, prmInName, type RawFile } from './raw.ts'
import { addTexts } from './reading.ts'
import type { Report } from './report.ts'
import { createRow, readRow } from './rows.ts'
import type { Source } from './text.ts'
import { type Choices, QUALITY } from './types.ts'

export const isEdf = (header: string) =>
  /^"?date et heure de releve par le distributeur/.test(plain(header)) && plain(header).includes('puissance atteinte')

type Line = { time: number; value: string; quality: number; line: number }
type Block = { day: string; lines: Line[] }

/**
 * « Mes puissances atteintes »: a line with the date of the day, then its half hours, the latest first. Stamps are the
 * distributor's, at the end of the interval on the clock of Paris; the midnight that closes a day stands under that day.
 */
export function readEdf(name: string, source: Source, report: Report, choices: Choices): RawFile {
  const file = createFile({ format: 'edf', encoding: source.text.encoding, stamp: 'end', zone: 'Europe/Paris' })
  const prm = choices.prm ?? prmInName(name)
  const curve = createCurve(prm, 'consumption', unitIn(source.header))
  file.curves.push(curve)
  if (!prm)
    report.error(
      'bad-prm',
      1,
      '',
      () => 'Ni le fichier ni son nom ne donnent le PRM du point. Choisissez le point de cette courbe.',
    )
  const clock = createClock(file)
  for (const { day, lines } of blocksOf(source, file, report))
    for (const { time, value, quality, line } of lines) {
      const stamp = `${day} ${two(Math.floor(time / 60))}:${two(time % 60)}`
      addTexts(curve, clock, report, { stamp, value, line, step: 0, quality })
    }
  return file
}

const two = (value: number) => String(value).padStart(2, '0')

/** Days in their order, and the rows of each in the order of time: the hour that comes twice is told by it. */
function blocksOf({ text, separator, from, headerLine }: Source, file: RawFile, report: Report): Block[] {
  const blocks: Block[] = []
  const row = createRow(8)
  row.next = from
  for (let line = headerLine; row.next < text.bytes.length; line++) {
    readRow(text.bytes, row.next, separator, row)
    const cell = (at: number) =>
      at < row.fields ? text.decode(row.bounds[at * 2] ?? 0, row.bounds[at * 2 + 1] ?? 0).trim() : ''
    const date = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(cell(0))
    const time = /^(\d{2}):(\d{2})(?::00)?$/.exec(cell(0))
    if (date) blocks.push({ day: `${date[3]}-${date[2]}-${date[1]}`, lines: [] })
    const block = blocks.at(-1)
    if (!time || !block) continue
    file.rows++
    const quality = /estim/.test(plain(cell(2))) ? QUALITY.estimated : QUALITY.raw
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
  return blocks.map(inOrder).sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : 0))
}

function inOrder({ day, lines }: Block): Block {
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
