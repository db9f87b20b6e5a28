import { createReadStream } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw } from 'node:zlib'
import { toDosDate } from './zip.ts'
import { buildZip64Extra, buildZipEnd, ZIP64_MARKER } from './zip64.ts'

/** A file of an archive: where it lies, or its text. */
export type ZipPart = { name: string; on: string } & ({ path: string } | { text: string })
type Sizes = { crc: number; packed: number; whole: number }

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const UTF8 = 0x0800
const DEFLATED = 8
/** From here on sizes may not fit into the four bytes that archives had at first; packing may add a little. */
const ZIP64_THRESHOLD = 0xf0000000

function buildZipHeader(
  name: Buffer,
  on: string,
  { crc, packed, whole }: Sizes,
  large: boolean,
  place?: number,
): Buffer {
  const listed = place !== undefined
  const extra = large ? buildZip64Extra([whole, packed, ...(listed ? [place] : [])]) : Buffer.alloc(0)
  const out = Buffer.alloc(listed ? 46 : 30)
  let at = out.writeUInt32LE(listed ? CENTRAL : LOCAL)
  if (listed) at = out.writeUInt16LE(45, at)
  for (const value of [large ? 45 : 20, UTF8, DEFLATED, 0, toDosDate(on)]) at = out.writeUInt16LE(value, at)
  at = out.writeUInt32LE(crc, at)
  at = out.writeUInt32LE(large ? ZIP64_MARKER : packed, at)
  at = out.writeUInt32LE(large ? ZIP64_MARKER : whole, at)
  at = out.writeUInt16LE(name.length, at)
  at = out.writeUInt16LE(extra.length, at)
  if (listed) out.writeUInt32LE(large ? ZIP64_MARKER : place, 42)
  return Buffer.concat([out, name, extra])
}

/** Packs the content to where the file ends by now; what it comes to is known afterwards. */
async function packPart(file: FileHandle, part: ZipPart, place: number): Promise<Sizes> {
  const sizes = { crc: 0, packed: 0, whole: 0 }
  const measured = new Transform({
    transform(piece: Buffer, _, done) {
      sizes.crc = crc32(piece, sizes.crc)
      sizes.whole += piece.length
      done(null, piece)
    },
  })
  const content = 'path' in part ? createReadStream(part.path) : Readable.from([Buffer.from(part.text)])
  await pipeline(content, measured, createDeflateRaw({ level: 6 }), async (pieces: AsyncIterable<Buffer>) => {
    for await (const piece of pieces) {
      await file.write(piece, 0, piece.length, place + sizes.packed)
      sizes.packed += piece.length
    }
  })
  return sizes
}

/** An archive of files of any size, on the machine: what is large is never in memory. */
export async function writeZipFile(path: string, parts: ZipPart[], large = ZIP64_THRESHOLD): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    const list: Buffer[] = []
    let place = 0
    for (const part of parts) {
      const name = Buffer.from(part.name)
      const isLarge = ('path' in part ? (await stat(part.path)).size : part.text.length) + place >= large
      const none = { crc: 0, packed: 0, whole: 0 }
      const room = buildZipHeader(name, part.on, none, isLarge).length
      const sizes = await packPart(file, part, place + room)
      await file.write(buildZipHeader(name, part.on, sizes, isLarge), 0, room, place)
      list.push(buildZipHeader(name, part.on, sizes, isLarge, place))
      place += room + sizes.packed
    }
    const end = Buffer.concat(list)
    await file.write(Buffer.concat([end, buildZipEnd(parts.length, end.length, place)]), 0, undefined, place)
    await file.sync()
  } finally {
    await file.close()
  }
}
