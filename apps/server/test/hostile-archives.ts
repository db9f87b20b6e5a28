import { readFileSync } from 'node:fs'
import { constants, crc32, deflateRawSync } from 'node:zlib'

const MEBIBYTE = 1024 * 1024
const ROW_BLOCK = Buffer.alloc(8 * MEBIBYTE, '<row><c t="inlineStr"><is><t>voisol</t></is></c></row>')

/** Blocks that each end where the next may begin: repeated, they unpack to as many times as much. */
function repeatDeflated(times: number, content = ROW_BLOCK): Buffer {
  const block = deflateRawSync(content, { level: 1, finishFlush: constants.Z_FULL_FLUSH })
  return Buffer.concat([...Array<Buffer>(times).fill(block), Buffer.from([0x03, 0x00])])
}

type HostileEntry = { name: string; packed: Buffer; size: number; sum: number }

function buildEntryHeader(signature: number, { name, packed, size, sum }: HostileEntry, place?: number): Buffer {
  const listed = place !== undefined
  const out = Buffer.alloc(listed ? 46 : 30)
  out.writeUInt32LE(signature, 0)
  const at = listed ? 6 : 4
  out.writeUInt16LE(20, at)
  out.writeUInt16LE(8, at + 4)
  out.writeUInt32LE(sum, at + 10)
  out.writeUInt32LE(packed.length, at + 14)
  out.writeUInt32LE(size, at + 18)
  out.writeUInt16LE(Buffer.byteLength(name), at + 22)
  if (listed) out.writeUInt32LE(place, 42)
  return Buffer.concat([out, Buffer.from(name)])
}

function buildZipEnd(entries: number, size: number, place: number): Buffer {
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(entries, 0xffff), 8)
  end.writeUInt16LE(Math.min(entries, 0xffff), 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(place, 16)
  if (entries < 0xffff) return end
  const wide = Buffer.alloc(56 + 20)
  wide.writeUInt32LE(0x06064b50, 0)
  wide.writeBigUInt64LE(44n, 4)
  wide.writeBigUInt64LE(BigInt(entries), 24)
  wide.writeBigUInt64LE(BigInt(entries), 32)
  wide.writeBigUInt64LE(BigInt(size), 40)
  wide.writeBigUInt64LE(BigInt(place), 48)
  wide.writeUInt32LE(0x07064b50, 56)
  wide.writeBigUInt64LE(BigInt(place + size), 64)
  wide.writeUInt32LE(1, 72)
  return Buffer.concat([wide, end])
}

function buildZip(entries: HostileEntry[]): Buffer {
  const body: Buffer[] = []
  const list: Buffer[] = []
  let place = 0
  for (const entry of entries) {
    const local = Buffer.concat([buildEntryHeader(0x04034b50, entry), entry.packed])
    list.push(buildEntryHeader(0x02014b50, entry, place))
    body.push(local)
    place += local.length
  }
  const listed = Buffer.concat(list)
  return Buffer.concat([...body, listed, buildZipEnd(entries.length, listed.length, place)])
}

const SPREADSHEET_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const RELATIONSHIP_TYPE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const WORKBOOK_PARTS: Record<string, string> = {
  '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${SPREADSHEET_TYPE}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${SPREADSHEET_TYPE}.worksheet+xml"/></Types>`,
  '_rels/.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${RELATIONSHIP_TYPE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  'xl/workbook.xml': `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="${RELATIONSHIP_TYPE}"><sheets><sheet name="a" sheetId="1" r:id="r1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${RELATIONSHIP_TYPE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
}

const buildPart = (name: string, text: string): HostileEntry => {
  const content = Buffer.from(text)
  return { name, packed: deflateRawSync(content), size: content.length, sum: crc32(content) }
}

/** A workbook in every respect but its sheet, so that whatever reads workbooks comes to it. */
const buildWorkbookZip = (sheet: Omit<HostileEntry, 'name'>) =>
  buildZip([
    ...Object.entries(WORKBOOK_PARTS).map(([name, text]) => buildPart(name, text)),
    { ...sheet, name: 'xl/worksheets/sheet1.xml' },
  ])

/** Honest entries, and one that repeats a line up to a gigabyte. */
export function buildZipWithHugeEntry(entries: { name: string; content: string }[], name: string, line: string) {
  const block = Buffer.from(line.repeat((8 * MEBIBYTE) / line.length))
  const huge = { name, packed: repeatDeflated(128, block), size: 128 * block.length, sum: 0 }
  return buildZip([...entries.map((entry) => buildPart(entry.name, entry.content)), huge])
}

/** As many entries as fit, a million at most, all of them at the same place, which is nearly empty. */
export function buildZipOfManyEntries(bytes: number): Buffer {
  const entry = buildPart('a', 'x')
  const local = Buffer.concat([buildEntryHeader(0x04034b50, entry), entry.packed])
  const listed = buildEntryHeader(0x02014b50, entry, 0)
  const count = Math.min(1_000_000, Math.floor((bytes - local.length - 100) / listed.length))
  const list = Buffer.alloc(count * listed.length, listed)
  return Buffer.concat([local, list, buildZipEnd(count, list.length, local.length)])
}

/** Archives that no honest program makes; each fits within so many bytes. */
export function buildHostileArchives() {
  const hugeDeflated = repeatDeflated(128)
  const small = repeatDeflated(4)
  const lying = buildWorkbookZip({ packed: hugeDeflated, size: 1000, sum: 0 })
  const huge = buildWorkbookZip({ packed: hugeDeflated, size: 128 * ROW_BLOCK.length, sum: 0 })
  return {
    'sizes that lie': (bytes: number) =>
      lying.length < bytes ? lying : buildWorkbookZip({ packed: small, size: 1000, sum: 0 }),
    'one huge entry': (bytes: number) =>
      huge.length < bytes ? huge : buildWorkbookZip({ packed: small, size: 4 * ROW_BLOCK.length, sum: 0 }),
    'a million small entries': buildZipOfManyEntries,
  }
}

/** Nanoseconds that this thread computed, and that it waited for a processor; known on Linux alone. */
function readProcessorShare(): { ran: number; waited: number } {
  if (process.platform !== 'linux') return { ran: 0, waited: 0 }
  const [ran = 0, waited = 0] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ').map(Number)
  return { ran, waited }
}

/**
 * The longest uninterrupted computation of this thread, in milliseconds of processor time, so that other programs do
 * not count; by how much the memory of the process grew at most, in megabytes; and how many times as long as alone on
 * the machine this thread took.
 */
export function watchThreadLoad() {
  let [longest, peak] = [0, 0]
  const before = process.memoryUsage().rss
  const from = readProcessorShare()
  let last = process.threadCpuUsage()
  const sample = () => {
    const now = process.threadCpuUsage()
    longest = Math.max(longest, (now.user + now.system - last.user - last.system) / 1000)
    last = now
    peak = Math.max(peak, process.memoryUsage().rss)
  }
  const timer = setInterval(sample, 2)
  return () => {
    clearInterval(timer)
    // The work may have ended with the longest of it.
    sample()
    const to = readProcessorShare()
    const slowdown = 1 + (to.waited - from.waited) / Math.max(1, to.ran - from.ran)
    return { longest, grown: (peak - before) / 1_000_000, slowdown }
  }
}
