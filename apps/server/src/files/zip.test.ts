import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { readEnd, readEntries } from '../formats/zip.ts'
import { type Entry, zipOf } from './zip.ts'

async function bytesOf(entries: Entry[]): Promise<Buffer> {
  async function* each() {
    yield* entries
  }
  return Buffer.concat(await Array.fromAsync(zipOf(each())))
}
const entry = (name: string, text: string): Entry => ({ name, content: Buffer.from(text), on: '2026-06-17' })

/** What the reader of archives makes of it, with the sums that other programs check. */
function opened(archive: Buffer): Record<string, string> {
  const end = readEnd(new DataView(archive.buffer, archive.byteOffset, archive.byteLength))
  const entries = readEntries(new Uint8Array(archive.subarray(end.offset, end.offset + end.size)), 0, end.count)
  const files = entries.map(({ name, offset, size }) => {
    const start = offset + 30 + archive.readUInt16LE(offset + 26)
    const content = archive.subarray(start, start + size)
    expect(archive.readUInt32LE(offset + 14)).toBe(crc32(content))
    // The seventeenth of June 2026.
    expect(archive.readUInt16LE(offset + 12)).toBe((46 << 9) | (6 << 5) | 17)
    return [name, content.toString()]
  })
  return Object.fromEntries(files)
}

test('every file is found by its name and its bytes', async () => {
  const long = 'x'.repeat(70_001)
  const archive = await bytesOf([entry('SOL2026-00001.pdf', 'un'), entry('relevé é.pdf', ''), entry('b.pdf', long)])
  expect(opened(archive)).toEqual({ 'SOL2026-00001.pdf': 'un', 'relevé é.pdf': '', 'b.pdf': long })
})

test('two of one name are two files', async () => {
  expect(opened(await bytesOf([entry('a.pdf', '1'), entry('a.pdf', '2'), entry('a.pdf', '3')]))).toEqual({
    'a.pdf': '1',
    'a (2).pdf': '2',
    'a (3).pdf': '3',
  })
})
