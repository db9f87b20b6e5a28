import { dayOf, dayStart, minutesOfDay } from '@voisol/energy/calendar'
import { MISSING } from '@voisol/energy/series'
import { NBSP } from '../french.ts'
import { daysOf } from './days.ts'
import { refuse } from './foreign.ts'
import { findHeader } from './header.ts'
import { intervalsOf } from './intervals.ts'
import { MAX_CURVES } from './limits.ts'
import { createR63, createR63Rows, isR63, readNames } from './r63.ts'
import { createCurve, type RawCurve, type RawFile } from './raw.ts'
import type { Report } from './report.ts'
import type { Settled } from './settle.ts'
import { readText } from './text.ts'
import { reportNowhere, timelineOf } from './timeline.ts'
import { FileRefused, type ParsedSeries } from './types.ts'

/** Rows are read this many bytes at a time. */
const PIECE = 4 * 1024 * 1024
/** Beyond, readings of days that are not over are given as they are: the store lays one part over the other. */
const MOST_WAITING = 1_500_000
/** Days given at once. */
const BATCH = 4096
const DAY = 1440

export type Streamed = { rows: number; readings: number }

/**
 * Reads an R63 of any size in bounded memory: whole days are given as soon as a later one begins for their point.
 * Rows may come in any order; a day may then be given in parts.
 */
export async function streamR63(
  chunks: AsyncIterable<Uint8Array>,
  report: Report,
  give: (series: ParsedSeries[]) => Promise<void> | void,
): Promise<Streamed> {
  const state = { reader: null as R63Reader | null, line: 0 }
  const out = createOutput(give)
  for await (const piece of pieces(chunks)) {
    let from = 0
    if (!state.reader) {
      const opened = openReader(piece, report)
      state.reader = opened.reader
      state.line = opened.line
      from = opened.from
    }
    state.line = state.reader.rows.read(piece, from, state.line)
    await flush(state.reader.file, report, out, false)
  }
  if (!state.reader) throw refuse('Ce fichier est vide.')
  state.reader.rows.done()
  await flush(state.reader.file, report, out, true)
  await out.end()
  return { rows: state.reader.file.rows, readings: out.readings() }
}

type R63Reader = { file: RawFile; rows: ReturnType<typeof createR63Rows> }

/** The same memory for all pieces: each is read before the next is filled. */
async function* pieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(PIECE)
  let length = 0
  for await (const chunk of chunks) {
    let taken = 0
    while (taken < chunk.length) {
      const part = chunk.subarray(taken, taken + PIECE - length)
      buffer.set(part, length)
      length += part.length
      taken += part.length
      if (length < PIECE) continue
      const end = buffer.lastIndexOf(10) + 1
      if (end === 0) throw refuse('Une ligne de ce fichier est démesurée.')
      yield buffer.subarray(0, end)
      buffer.copyWithin(0, end, length)
      length -= end
    }
  }
  if (length > 0) yield buffer.subarray(0, length)
}

function openReader(piece: Uint8Array, report: Report): { reader: R63Reader; from: number; line: number } {
  const text = readText(piece)
  if (text.encoding === 'utf-16') throw refuse('Ce R63 est en UTF-16.')
  const { from, headerLine, header, separator } = findHeader(text)
  const { columns, next } = readNames({ text, separator, from })
  if (!isR63(header)) throw refuse('Ce fichier n’est pas une courbe R63.')
  if ((columns[6] ?? -1) < 0)
    throw new FileRefused(
      `Ce R63 n’a pas de colonne «${NBSP}Unité${NBSP}»${NBSP}: ses valeurs ne peuvent pas être lues.`,
    )
  const file = createR63(text)
  const rows = createR63Rows({ columns, separator }, file, report)
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
      if (days >= BATCH) await send()
    },
    end: send,
    readings: () => readings,
  }
}

async function flush(file: RawFile, report: Report, out: ReturnType<typeof createOutput>, all: boolean): Promise<void> {
  if (file.curves.length > MAX_CURVES)
    throw refuse('Ce fichier a plus de 20\u00a0000\u00a0courbes\u00a0: partagez-le par groupe de points.')
  const waiting = file.curves.reduce((sum, { length }) => sum + length, 0)
  const full = waiting > MOST_WAITING
  for (const curve of file.curves) {
    if (curve.length === 0) continue
    const kept = all ? 0 : unfinished(curve, file.zoned === true, full)
    const ready = curve.length - kept
    if (ready === 0) continue
    const { series, known } = daysOfCurve({ ...curve, length: ready }, file.zoned === true, report)
    release(curve, ready)
    if (series.days.length > 0) await out.add(series, known)
  }
}

/** How many readings at the end are of a day that may go on. */
function unfinished({ stamps, length }: RawCurve, zoned: boolean, full: boolean): number {
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
  return full && !changesClock(opens, zoned) ? 0 : count
}

const changesClock = (opens: number, zoned: boolean) => !zoned && minutesOfDay(dayOf(opens + DAY / 2)) !== DAY

function daysOfCurve(curve: RawCurve, zoned: boolean, report: Report): { series: ParsedSeries; known: number } {
  const settled: Settled = {
    unit: curve.unit ?? 'W',
    unitCertain: true,
    stamp: 'end',
    stampCertain: true,
    zone: zoned ? 'offset' : 'Europe/Paris',
    zoneCertain: true,
  }
  if (!curve.unit)
    throw new FileRefused(
      `L’unité de la courbe du point ${curve.prm} n’est pas reconnue. Attendu${NBSP}: W, kW, Wh ou kWh.`,
    )
  const timeline = timelineOf(curve, settled)
  reportNowhere(curve, timeline, report)
  const intervals = intervalsOf(curve, timeline, curve.unit, report)
  let known = 0
  for (let at = 0; at < intervals.length; at++) if (intervals.watts[at] !== MISSING) known++
  return { series: { prm: curve.prm, direction: curve.direction, days: daysOf(intervals) }, known }
}

/** Keeps what follows the first `ready` readings, in memory of its own size. */
function release(curve: RawCurve, ready: number): void {
  const { length } = curve
  const rest = createCurve(curve.prm, curve.direction, curve.unit, length - ready)
  rest.stamps.set(curve.stamps.subarray(ready, length))
  rest.values.set(curve.values.subarray(ready, length))
  rest.lines.set(curve.lines.subarray(ready, length))
  if (curve.steps) rest.steps?.set(curve.steps.subarray(ready, length))
  if (curve.quality) rest.quality?.set(curve.quality.subarray(ready, length))
  Object.assign(curve, rest, { length: length - ready })
}
