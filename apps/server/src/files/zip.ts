import { crc32, deflateRawSync } from 'node:zlib'
import { buildZip64Extra, buildZipEnd, ZIP64_MARKER } from './zip64.ts'

/** A file of an archive; `on` is its day; `text` gets smaller when it is packed. */
export type ZipEntryInput = { name: string; content: Uint8Array; on: string; text?: true }

/** Days as archives write them, since 1980. */
export const toDosDate = (day: string) =>
  ((Number(day.slice(0, 4)) - 1980) << 9) | (Number(day.slice(5, 7)) << 5) | Number(day.slice(8, 10))

/** Bit 11: names are UTF-8. */
const UTF8 = 0x0800
const VERSION = 20
const DEFLATED = 8

/** What the head of an entry and the list at the end say alike. */
function buildSharedHeader({ content, on, text }: ZipEntryInput, packed: Uint8Array, nameBytes: number): Buffer {
  const part = Buffer.alloc(26)
  part.writeUInt16LE(VERSION, 0)
  part.writeUInt16LE(UTF8, 2)
  part.writeUInt16LE(text ? DEFLATED : 0, 4)
  part.writeUInt16LE(toDosDate(on), 8)
  part.writeUInt32LE(crc32(content), 10)
  part.writeUInt32LE(packed.byteLength, 14)
  part.writeUInt32LE(content.byteLength, 18)
  part.writeUInt16LE(nameBytes, 22)
  return part
}
const toSignature = (value: number) => {
  const part = Buffer.alloc(4)
  part.writeUInt32LE(value)
  return part
}

/** Each file is in memory, and fits; where it begins may not. */
export function buildCentralRecord(common: Buffer, name: Buffer, at: number): Buffer {
  const far = at >= ZIP64_MARKER
  const extra = far ? buildZip64Extra([at]) : Buffer.alloc(0)
  const about = Buffer.from(common)
  about.writeUInt16LE(far ? 45 : VERSION, 0)
  about.writeUInt16LE(extra.byteLength, 24)
  const tail = Buffer.alloc(14)
  tail.writeUInt32LE(far ? ZIP64_MARKER : at, 10)
  const madeBy = Buffer.from([far ? 45 : VERSION, 0])
  return Buffer.concat([toSignature(0x02014b50), madeBy, about, tail, name, extra])
}

/** Two files of one name would be one of them to whoever opens the archive. */
function uniqueName(name: string, taken: Set<string>): string {
  const [, stem = name, end = ''] = /^(.*?)(\.[^.]*)?$/.exec(name) ?? []
  for (let n = 2, free = name; ; free = `${stem} (${n++})${end}`)
    if (!taken.has(free)) {
      taken.add(free)
      return free
    }
}

/** An archive written as its files come, each as it is unless it is text: PDF does not get smaller. As many files as come, and as large an archive as they make. */
export async function* createZipStream(entries: AsyncIterable<ZipEntryInput>): AsyncGenerator<Uint8Array> {
  const list: Buffer[] = []
  const taken = new Set<string>()
  let at = 0
  for await (const entry of entries) {
    const name = Buffer.from(uniqueName(entry.name, taken))
    const packed = entry.text ? deflateRawSync(entry.content) : entry.content
    const common = buildSharedHeader(entry, packed, name.byteLength)
    const head = Buffer.concat([toSignature(0x04034b50), common, name])
    list.push(buildCentralRecord(common, name, at))
    yield head
    yield packed
    at += head.byteLength + packed.byteLength
  }
  const end = Buffer.concat(list)
  yield Buffer.concat([end, buildZipEnd(list.length, end.byteLength, at)])
}
