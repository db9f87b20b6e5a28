import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { readZipEnd, readZipEntries } from '@voisol/file-formats/open-zip'
import { expect, test } from 'vitest'
import {
  buildCentralRecord,
  buildZipEnd,
  createZipStream,
  readZip,
  readZipDirectory,
  type ZipEntryInput,
} from './zip.ts'

async function collectZip(entries: ZipEntryInput[]): Promise<Buffer> {
  async function* each() {
    yield* entries
  }
  return Buffer.concat(await Array.fromAsync(createZipStream(each())))
}
const entry = (name: string, text: string): ZipEntryInput => ({ name, content: Buffer.from(text), on: '2026-06-17' })

/** What the reader of archives makes of it, with the sums that other programs check. */
function opened(archive: Buffer): Record<string, string> {
  const end = readZipEnd(new DataView(archive.buffer, archive.byteOffset, archive.byteLength))
  const entries = readZipEntries(new Uint8Array(archive.subarray(end.offset, end.offset + end.size)), 0, end.count)
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
  const archive = await collectZip([entry('SOL2026-00001.pdf', 'un'), entry('relevé é.pdf', ''), entry('b.pdf', long)])
  expect(opened(archive)).toEqual({ 'SOL2026-00001.pdf': 'un', 'relevé é.pdf': '', 'b.pdf': long })
})

test('two of one name are two files', async () => {
  expect(opened(await collectZip([entry('a.pdf', '1'), entry('a.pdf', '2'), entry('a.pdf', '3')]))).toEqual({
    'a.pdf': '1',
    'a (2).pdf': '2',
    'a (3).pdf': '3',
  })
})

const MANY = 65_600
const UNZIP = '/usr/bin/unzip'

test('more files than two bytes can count are all listed, to us and to others', async () => {
  const entries = Array.from({ length: MANY }, (_, n) => entry(`${n}.txt`, String(n)))
  const archive = await collectZip(entries)
  const files = readZip(archive)
  expect(files).toHaveLength(MANY)
  expect([files[0]?.read().toString(), files.at(-1)?.read().toString()]).toEqual(['0', String(MANY - 1)])
  if (!existsSync(UNZIP)) return
  const folder = mkdtempSync(join(tmpdir(), 'voisol-zip-'))
  const path = join(folder, 'a.zip')
  writeFileSync(path, archive)
  expect(execFileSync(UNZIP, ['-p', path, `${MANY - 1}.txt`]).toString()).toBe(String(MANY - 1))
  rmSync(folder, { recursive: true })
})

test('what lies beyond four gigabytes is said in eight bytes, in the list and at the end', () => {
  const far = 5 * 2 ** 30
  const line = buildCentralRecord(Buffer.alloc(26), Buffer.from('a'), far)
  expect(line.readUInt32LE(42)).toBe(0xffffffff)
  expect(line.readUInt16LE(30)).toBe(12)
  expect([line.readUInt16LE(47), line.readUInt16LE(49), Number(line.readBigUInt64LE(51))]).toEqual([1, 8, far])
  const near = buildCentralRecord(Buffer.alloc(26), Buffer.from('a'), 7)
  expect([near.readUInt32LE(42), near.readUInt16LE(30), near.length]).toEqual([7, 0, 47])
  const end = buildZipEnd(3, 100, far)
  // Its place counts from the beginning of the archive, which is not all here.
  expect(Number(end.readBigUInt64LE(48))).toBe(far)
  expect(Number(end.readBigUInt64LE(64))).toBe(far + 100)
  expect(end.readUInt32LE(76 + 16)).toBe(0xffffffff)
  const small = buildZipEnd(3, 100, 40)
  expect([small.length, readZipDirectory(small, 0)]).toEqual([22, { entries: 3, place: 40 }])
})
