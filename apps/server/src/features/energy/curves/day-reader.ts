import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { addDays } from '@voisol/energy/calendar'
import type { Step } from '@voisol/energy/series'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Quality, Readings } from '../../../core/readings.ts'
import type { Db } from '../../../db/client.ts'

export type StoredDay = Readings & { pointId: string; day: string; version: number; receivedAt: Date }
export type Selection = { companyId: number; pointIds: string[]; from: string; to: string; knownAt?: Date | undefined }

const EPOCH = '2000-01-01'
const EPOCH_MS = Date.parse(EPOCH)
const HEADER = 19
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const DAY = /^\d{4}-\d{2}-\d{2}$/

const checked = (text: string, shape: RegExp) => {
  if (!shape.test(text)) throw new RangeError(`not a value for a statement: ${JSON.stringify(text)}`)
  return `'${text}'`
}

const known = (at: Date | undefined) =>
  at
    ? `received_at <= '${at.toISOString()}' and (superseded_at is null or superseded_at > '${at.toISOString()}')`
    : 'superseded_at is null'

// COPY takes no parameters: only values of a checked shape are written into it.
const statement = ({ companyId, pointIds, from, to, knownAt }: Selection) =>
  `copy (select point_id, day, version, step, watts, marks, quality, received_at from curve_days
    where company_id = ${Math.trunc(companyId)}
      and point_id = any(array[${pointIds.map((id) => checked(id, UUID)).join()}]::uuid[])
      and day >= ${checked(from, DAY)} and day < ${checked(to, DAY)} and ${known(knownAt)}) to stdout (format binary)`

/**
 * Hands over each day as it arrives, in no particular order. The readings are lent: `kept` copies what outlives the visit.
 * Binary COPY brings the packed days as bytes; an ordinary query would write each byte as two letters.
 */
export async function eachDay(db: Db, selection: Selection, visit: (day: StoredDay) => void): Promise<void> {
  if (!selection.pointIds.length || selection.from >= selection.to) return
  const text = statement(selection)
  const own = db.$client instanceof pg.Pool ? await db.$client.connect() : undefined
  const client = own ?? (db.$client as pg.PoolClient) // not the pool: the connection of a transaction
  try {
    await drain(client.query(copyTo(text)), createDecoder(visit))
    own?.release()
  } catch (error) {
    own?.release(true)
    throw error
  }
}

/** Reads to the end even when a visit fails: what stays unread would be taken for the next answer. */
async function drain(stream: Readable, decode: (chunk: Buffer) => void): Promise<void> {
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

function createDecoder(visit: (day: StoredDay) => void) {
  let rest: Buffer = Buffer.alloc(0)
  let begun = false
  const names = createNames()
  const lend = createLender()
  return (chunk: Buffer) => {
    const bytes = rest.length ? Buffer.concat([rest, chunk]) : chunk
    let at = 0
    if (!begun) {
      if (bytes.length < HEADER) {
        rest = bytes
        return
      }
      begun = true
      at = HEADER
    }
    for (;;) {
      const end = endOfRow(bytes, at)
      if (end < 0) break
      visit(readDay(bytes, at, names, lend))
      at = end
    }
    rest = bytes.subarray(at)
  }
}

const COLUMNS = 8
/** Where the row that starts at `at` ends; negative while it is not all there, and for the trailer. */
function endOfRow(bytes: Buffer, at: number): number {
  if (at + 2 > bytes.length || bytes.readInt16BE(at) < 0) return -1
  let next = at + 2
  for (let column = 0; column < COLUMNS; column++) {
    if (next + 4 > bytes.length) return -1
    next += 4 + Math.max(0, bytes.readInt32BE(next))
  }
  return next <= bytes.length ? next : -1
}

/** One array for each length of a day: hundreds of thousands of days pass through it without leaving anything behind. */
function createLender() {
  const arrays: Int32Array[] = []
  return (steps: number): Int32Array => {
    const lent = arrays[steps] ?? new Int32Array(steps)
    arrays[steps] = lent
    return lent
  }
}

export const kept = (day: StoredDay): StoredDay => ({ ...day, watts: Int32Array.from(day.watts) })

/** The same points and days come again and again: each is written out once. */
function createNames() {
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
type Names = ReturnType<typeof createNames>

/** Fields of a fixed size stand at fixed places; the two arrays move what follows them. */
function readDay(bytes: Buffer, start: number, names: Names, lend: (steps: number) => Int32Array): StoredDay {
  const pointId = names.point(bytes, start + 6)
  const day = names.day(bytes.readInt32BE(start + 26))
  const version = bytes.readInt32BE(start + 34)
  const step = bytes.readInt16BE(start + 42) as Step // what was stored
  const size = bytes.readInt32BE(start + 44)
  let at = start + 48
  const watts = lend(size / 4)
  bytes.copy(new Uint8Array(watts.buffer), 0, at, at + size)
  at += size
  const marked = bytes.readInt32BE(at)
  at += 4
  const marks = marked < 0 ? null : new Uint8Array(bytes.subarray(at, at + marked))
  at += Math.max(0, marked)
  const quality = bytes.readInt16BE(at + 4) as Quality // what was stored
  const micros = bytes.readInt32BE(at + 10) * 2 ** 32 + bytes.readUInt32BE(at + 14)
  return { pointId, day, version, step, watts, marks, quality, receivedAt: new Date(EPOCH_MS + micros / 1000) }
}
