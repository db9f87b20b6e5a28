import { daysBetween } from '@voisol/energy/calendar'
import { from } from 'pg-copy-streams'
import type { DayReadings } from '../../../core/readings.ts'
import type { Db } from '../../../db/client.ts'
import { computeCurveDayFacts } from './curve-day.ts'

export type ReadingSource = 'import' | 'enedis' | 'api' | 'model' | 'estimate'
export type NewCurveDay = DayReadings & { pointId: string; day: string; version: number; receivedAt: Date }

const COPY_STATEMENT = `copy curve_days (company_id, point_id, day, version, step, watts, marks, quality, present, expected, energy,
  peak, source, import_id, received_at) from stdin (format binary)`
const FIELD_COUNT = 15
const COPY_SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const EPOCH = '2000-01-01'
const EPOCH_MS = Date.parse(EPOCH)
/** Bytes of a row besides its arrays: field count, field lengths, and fixed-size fields. */
const FIXED_ROW_BYTES = 2 + FIELD_COUNT * 4 + (4 + 16 + 4 + 4 + 2 + 2 + 2 + 2 + 8 + 4 + 16 + 8)

const toUuidBytes = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex')
const toBytes = ({ buffer, byteOffset, byteLength }: Int32Array | Uint8Array) =>
  new Uint8Array(buffer, byteOffset, byteLength)

function createCopyWriter(size: number) {
  const buffer = Buffer.allocUnsafe(size)
  let at = 0
  const raw = (bytes: Uint8Array) => {
    buffer.set(bytes, at)
    at += bytes.length
  }
  const field = (bytes: Uint8Array | null) => {
    at = buffer.writeInt32BE(bytes ? bytes.length : -1, at)
    if (bytes) raw(bytes)
  }
  return {
    raw,
    field,
    int2: (value: number) => {
      at = buffer.writeInt16BE(value, buffer.writeInt32BE(2, at))
    },
    int4: (value: number) => {
      at = buffer.writeInt32BE(value, buffer.writeInt32BE(4, at))
    },
    int8: (value: number) => {
      at = buffer.writeInt32BE(Math.floor(value / 2 ** 32), buffer.writeInt32BE(8, at))
      at = buffer.writeUInt32BE((value % 2 ** 32) >>> 0, at)
    },
    count: (fields: number) => {
      at = buffer.writeInt16BE(fields, at)
    },
    bytes: () => buffer.subarray(0, at),
  }
}

type WriteMeta = { companyId: number; source: ReadingSource; importId?: string | undefined }

/** The rows in the wire format of COPY; arrays are copied as they are in memory. */
function encodeRows(rows: NewCurveDay[], meta: WriteMeta): Buffer {
  const size = rows.reduce((sum, { watts, marks }) => sum + watts.byteLength + (marks?.length ?? 0), 0)
  const out = createCopyWriter(COPY_SIGNATURE.length + rows.length * (FIXED_ROW_BYTES + meta.source.length) + size + 2)
  out.raw(COPY_SIGNATURE)
  const shared = {
    companyId: meta.companyId,
    source: Buffer.from(meta.source),
    importId: meta.importId ? toUuidBytes(meta.importId) : null,
    days: new Map<string, number>(),
  }
  let id: Buffer = Buffer.alloc(0)
  let last = ''
  for (const row of rows) {
    if (row.pointId !== last) id = toUuidBytes(row.pointId)
    last = row.pointId
    writeRow(out, row, id, shared)
  }
  out.count(-1)
  return out.bytes()
}

type SharedRowValues = { companyId: number; source: Buffer; importId: Buffer | null; days: Map<string, number> }

function writeRow(
  out: ReturnType<typeof createCopyWriter>,
  row: NewCurveDay,
  id: Buffer,
  shared: SharedRowValues,
): void {
  const { present, expected, energy, peak } = computeCurveDayFacts(row)
  const day = shared.days.get(row.day) ?? daysBetween(EPOCH, row.day)
  shared.days.set(row.day, day)
  out.count(FIELD_COUNT)
  out.int4(shared.companyId)
  out.field(id)
  out.int4(day)
  out.int4(row.version)
  out.int2(row.step)
  out.field(toBytes(row.watts))
  out.field(row.marks)
  out.int2(row.quality)
  out.int2(present)
  out.int2(expected)
  out.int8(energy)
  out.int4(peak)
  out.field(shared.source)
  out.field(shared.importId)
  out.int8((row.receivedAt.getTime() - EPOCH_MS) * 1000)
}

export async function writeCurveDays(tx: Db, rows: NewCurveDay[], meta: WriteMeta): Promise<void> {
  if (!rows.length) return
  const bytes = encodeRows(rows, meta)
  const stream = tx.$client.query(from(COPY_STATEMENT))
  await new Promise<void>((resolve, reject) => {
    stream.on('finish', resolve).on('error', reject)
    stream.end(bytes)
  })
}
