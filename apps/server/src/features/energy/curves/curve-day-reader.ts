import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { addDays } from '@voisol/energy/calendar'
import type { Step } from '@voisol/energy/series'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { DayReadings, ReadingQuality } from '../../../core/readings.ts'
import type { Db } from '../../../db/client.ts'

export type StoredCurveDay = DayReadings & { pointId: string; day: string; version: number; receivedAt: Date }
type CurveDaySelection = {
  companyId: number
  pointIds: string[]
  from: string
  to: string
  knownAt?: Date | undefined
}

const EPOCH = '2000-01-01'
const EPOCH_MS = Date.parse(EPOCH)
const COPY_HEADER_BYTES = 19
const UUID_PATTERN = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const DAY_PATTERN = /^\d{4}-\d{2}-\d{2}$/

const quoteChecked = (text: string, shape: RegExp) => {
  if (!shape.test(text)) throw new RangeError(`not a value for a statement: ${JSON.stringify(text)}`)
  return `'${text}'`
}

const isKnownAtSql = (at: Date | undefined) =>
  at
    ? `received_at <= '${at.toISOString()}' and (superseded_at is null or superseded_at > '${at.toISOString()}')`
    : 'superseded_at is null'

// COPY takes no parameters: only values of a checked format are inserted.
const buildCopyStatement = ({ companyId, pointIds, from, to, knownAt }: CurveDaySelection) =>
  `copy (select point_id, day, version, step, watts, marks, quality, received_at from curve_days
    where company_id = ${Math.trunc(companyId)}
      and point_id = any(array[${pointIds.map((id) => quoteChecked(id, UUID_PATTERN)).join()}]::uuid[])
      and day >= ${quoteChecked(from, DAY_PATTERN)} and day < ${quoteChecked(to, DAY_PATTERN)} and ${isKnownAtSql(knownAt)}) to stdout (format binary)`

/**
 * Calls `visit` for each day as it arrives, in no particular order. The arrays are reused: copy what must outlive the
 * call. Binary COPY transfers packed days as bytes; an ordinary query would use two letters per byte.
 */
export async function forEachCurveDay(
  db: Db,
  selection: CurveDaySelection,
  visit: (day: StoredCurveDay) => void,
): Promise<void> {
  if (!selection.pointIds.length || selection.from >= selection.to) return
  const text = buildCopyStatement(selection)
  const ownConnection = db.$client instanceof pg.Pool ? await db.$client.connect() : undefined
  const client = ownConnection ?? (db.$client as pg.PoolClient) // a transaction's connection, not the pool
  try {
    await decodeStream(client.query(copyTo(text)), createDecoder(visit))
    ownConnection?.release()
  } catch (error) {
    ownConnection?.release(true)
    throw error
  }
}

/** Reads to the end even when a visit fails: unread bytes would be taken for the next answer. */
async function decodeStream(stream: Readable, decode: (chunk: Buffer) => void): Promise<void> {
  const failures: unknown[] = []
  stream.on('data', (chunk: Buffer) => {
    if (failures.length) return
    try {
      decode(chunk)
    } catch (error) {
      failures.push(error)
    }
  })
  await finished(stream)
  if (failures.length) throw failures[0]
}

function createDecoder(visit: (day: StoredCurveDay) => void) {
  let rest: Buffer = Buffer.alloc(0)
  let headerRead = false
  const names = createNameCache()
  const getBuffer = createBufferPool()
  return (chunk: Buffer) => {
    const bytes = rest.length ? Buffer.concat([rest, chunk]) : chunk
    let at = 0
    if (!headerRead) {
      if (bytes.length < COPY_HEADER_BYTES) {
        rest = bytes
        return
      }
      headerRead = true
      at = COPY_HEADER_BYTES
    }
    for (;;) {
      const end = findEndOfRow(bytes, at)
      if (end < 0) break
      visit(decodeCurveDay(bytes, at, names, getBuffer))
      at = end
    }
    rest = bytes.subarray(at)
  }
}

const COLUMN_COUNT = 8
/** The end of the row that starts at `at`; negative when it is incomplete, and for the trailer. */
function findEndOfRow(bytes: Buffer, at: number): number {
  if (at + 2 > bytes.length || bytes.readInt16BE(at) < 0) return -1
  let next = at + 2
  for (let column = 0; column < COLUMN_COUNT; column++) {
    if (next + 4 > bytes.length) return -1
    next += 4 + Math.max(0, bytes.readInt32BE(next))
  }
  return next <= bytes.length ? next : -1
}

/** One array per day length, reused: hundreds of thousands of days are decoded without garbage. */
function createBufferPool() {
  const arrays: Int32Array[] = []
  return (steps: number): Int32Array => {
    const lent = arrays[steps] ?? new Int32Array(steps)
    arrays[steps] = lent
    return lent
  }
}

export const copyCurveDay = (day: StoredCurveDay): StoredCurveDay => ({ ...day, watts: Int32Array.from(day.watts) })

/** Caches the text of points and days, which repeat in most rows. */
function createNameCache() {
  const days = new Map<number, string>()
  const last = Buffer.alloc(16)
  let id = ''
  return {
    point: (bytes: Buffer, at: number) => {
      if (id && bytes.compare(last, 0, 16, at, at + 16) === 0) return id
      bytes.copy(last, 0, at, at + 16)
      const hex = last.toString('hex')
      id = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
      return id
    },
    day: (number: number) => {
      let day = days.get(number)
      if (!day) {
        day = addDays(EPOCH, number)
        days.set(number, day)
      }
      return day
    },
  }
}
type NameCache = ReturnType<typeof createNameCache>

/** Fields before the two arrays have fixed offsets. */
function decodeCurveDay(
  bytes: Buffer,
  start: number,
  names: NameCache,
  lend: (steps: number) => Int32Array,
): StoredCurveDay {
  const pointId = names.point(bytes, start + 6)
  const day = names.day(bytes.readInt32BE(start + 26))
  const version = bytes.readInt32BE(start + 34)
  const step = bytes.readInt16BE(start + 42) as Step // as stored
  const size = bytes.readInt32BE(start + 44)
  let at = start + 48
  const watts = lend(size / 4)
  bytes.copy(new Uint8Array(watts.buffer), 0, at, at + size)
  at += size
  const marked = bytes.readInt32BE(at)
  at += 4
  const marks = marked < 0 ? null : new Uint8Array(bytes.subarray(at, at + marked))
  at += Math.max(0, marked)
  const quality = bytes.readInt16BE(at + 4) as ReadingQuality // as stored
  const micros = bytes.readInt32BE(at + 10) * 2 ** 32 + bytes.readUInt32BE(at + 14)
  return { pointId, day, version, step, watts, marks, quality, receivedAt: new Date(EPOCH_MS + micros / 1000) }
}
