import { dayOf, dayStart, minutesOfDay } from '@voisol/energy/calendar'
import { MISSING } from '@voisol/energy/series'
import { decodeTextFile } from './csv-text.ts'
import { FileRefusedError, type ParsedSeries } from './curve-file-types.ts'
import { findHeader } from './detect-table.ts'
import { NBSP } from './french.ts'
import { buildIntervals, toCurveDays } from './intervals.ts'
import { createR63File, createR63RowReader, isR63Header, readColumnNames } from './r63.ts'
import { createRawCurve, MAX_CURVES, type ParseReport, type RawCurve, type RawFile } from './raw-curves.ts'
import { buildTimeline, type ReadingConventions, reportNonexistentTimes } from './timeline.ts'
import { createRefusal } from './unsupported-files.ts'

/** Rows are read this many bytes at a time. */
const PIECE_BYTES = 4 * 1024 * 1024
/** Beyond, readings of days that are not over are given as they are: the store lays one part over the other. */
const MAX_WAITING_READINGS = 1_500_000
/** Days given at once. */
const DAYS_PER_BATCH = 4096
const DAY = 1440

type R63StreamResult = { rows: number; readings: number }

/**
 * Reads an R63 of any size in bounded memory: whole days are given as soon as a later one begins for their point.
 * Rows may come in any order; a day may then be given in parts.
 */
export async function streamR63(
  chunks: AsyncIterable<Uint8Array>,
  report: ParseReport,
  give: (series: ParsedSeries[]) => Promise<void> | void,
): Promise<R63StreamResult> {
  const state = { reader: null as R63Reader | null, line: 0 }
  const out = createOutput(give)
  for await (const piece of splitIntoPieces(chunks)) {
    let from = 0
    if (!state.reader) {
      const opened = openR63Reader(piece, report)
      state.reader = opened.reader
      state.line = opened.line
      from = opened.from
    }
    state.line = state.reader.rows.read(piece, from, state.line)
    await flushDays(state.reader.file, report, out, false)
  }
  if (!state.reader) throw createRefusal('Ce fichier est vide.')
  state.reader.rows.done()
  await flushDays(state.reader.file, report, out, true)
  await out.end()
  return { rows: state.reader.file.rows, readings: out.readings() }
}

type R63Reader = { file: RawFile; rows: ReturnType<typeof createR63RowReader> }

/** The same memory for all pieces: each is read before the next is filled. */
async function* splitIntoPieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(PIECE_BYTES)
  let length = 0
  for await (const chunk of chunks) {
    let taken = 0
    while (taken < chunk.length) {
      const part = chunk.subarray(taken, taken + PIECE_BYTES - length)
      buffer.set(part, length)
      length += part.length
      taken += part.length
      if (length < PIECE_BYTES) continue
      const end = buffer.lastIndexOf(10) + 1
      if (end === 0) throw createRefusal('Une ligne de ce fichier est démesurée.')
      yield buffer.subarray(0, end)
      buffer.copyWithin(0, end, length)
      length -= end
    }
  }
  if (length > 0) yield buffer.subarray(0, length)
}

function openR63Reader(piece: Uint8Array, report: ParseReport): { reader: R63Reader; from: number; line: number } {
  const text = decodeTextFile(piece)
  if (text.encoding === 'utf-16') throw createRefusal('Ce R63 est en UTF-16.')
  const { from, headerLine, header, separator } = findHeader(text)
  const { columns, next } = readColumnNames({ text, separator, from })
  if (!isR63Header(header)) throw createRefusal('Ce fichier n’est pas une courbe R63.')
  if ((columns[6] ?? -1) < 0)
    throw new FileRefusedError(
      `Ce R63 n’a pas de colonne «${NBSP}Unité${NBSP}»${NBSP}: ses valeurs ne peuvent pas être lues.`,
    )
  const file = createR63File(text)
  const rows = createR63RowReader({ columns, separator }, file, report)
  // The text begins after the mark that some files have in front.
  return { reader: { file, rows }, from: next + (piece.length - text.bytes.length), line: headerLine + 1 }
}

function createOutput(give: (series: ParsedSeries[]) => Promise<void> | void) {
  let batch: ParsedSeries[] = []
  let days = 0
  let readings = 0
  const send = async () => {
    if (days === 0) return
    const full = batch
    batch = []
    days = 0
    await give(full)
  }
  return {
    async add(series: ParsedSeries, known: number) {
      batch.push(series)
      days += series.days.length
      readings += known
      if (days >= DAYS_PER_BATCH) await send()
    },
    end: send,
    readings: () => readings,
  }
}

async function flushDays(
  file: RawFile,
  report: ParseReport,
  out: ReturnType<typeof createOutput>,
  all: boolean,
): Promise<void> {
  if (file.curves.length > MAX_CURVES)
    throw createRefusal('Ce fichier a plus de 20\u00a0000\u00a0courbes\u00a0: partagez-le par groupe de points.')
  const waiting = file.curves.reduce((sum, { length }) => sum + length, 0)
  const full = waiting > MAX_WAITING_READINGS
  for (const curve of file.curves) {
    if (curve.length === 0) continue
    const kept = all ? 0 : countUnfinished(curve, file.zoned === true, full)
    const ready = curve.length - kept
    if (ready === 0) continue
    const { series, known } = toDaysOfCurve({ ...curve, length: ready }, file.zoned === true, report)
    releaseReadings(curve, ready)
    if (series.days.length > 0) await out.add(series, known)
  }
}

/** How many readings at the end are of a day that may go on. */
function countUnfinished({ stamps, length }: RawCurve, zoned: boolean, full: boolean): number {
  const last = (stamps[length - 1] ?? 0) - 1
  const day = zoned ? dayOf(last) : ''
  const opens = zoned ? dayStart(day) : Math.floor(last / DAY) * DAY
  const minutes = zoned ? minutesOfDay(day) : DAY
  let first = length
  while (first > 0) {
    const minute = (stamps[first - 1] ?? 0) - 1
    if (minute < opens || minute >= opens + minutes) break
    first--
  }
  const count = length - first
  // The hour that comes twice is told apart by the order within its day: that day is kept whole.
  return full && !isClockChangeDay(opens, zoned) ? 0 : count
}

const isClockChangeDay = (opens: number, zoned: boolean) => !zoned && minutesOfDay(dayOf(opens + DAY / 2)) !== DAY

function toDaysOfCurve(curve: RawCurve, zoned: boolean, report: ParseReport): { series: ParsedSeries; known: number } {
  const settled: ReadingConventions = {
    unit: curve.unit ?? 'W',
    unitCertain: true,
    stamp: 'end',
    stampCertain: true,
    zone: zoned ? 'offset' : 'Europe/Paris',
    zoneCertain: true,
  }
  if (!curve.unit)
    throw new FileRefusedError(
      `L’unité de la courbe du point ${curve.prm} n’est pas reconnue. Attendu${NBSP}: W, kW, Wh ou kWh.`,
    )
  const timeline = buildTimeline(curve, settled)
  reportNonexistentTimes(curve, timeline, report)
  const intervals = buildIntervals(curve, timeline, curve.unit, report)
  let known = 0
  for (let at = 0; at < intervals.length; at++) if (intervals.watts[at] !== MISSING) known++
  return { series: { prm: curve.prm, direction: curve.direction, days: toCurveDays(intervals) }, known }
}

/** Keeps what follows the first `ready` readings, in memory of its own size. */
function releaseReadings(curve: RawCurve, ready: number): void {
  const { length } = curve
  const rest = createRawCurve(curve.prm, curve.direction, curve.unit, length - ready)
  rest.stamps.set(curve.stamps.subarray(ready, length))
  rest.values.set(curve.values.subarray(ready, length))
  rest.lines.set(curve.lines.subarray(ready, length))
  if (curve.steps) rest.steps?.set(curve.steps.subarray(ready, length))
  if (curve.quality) rest.quality?.set(curve.quality.subarray(ready, length))
  Object.assign(curve, rest, { length: length - ready })
}
