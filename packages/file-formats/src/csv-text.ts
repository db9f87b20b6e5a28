import { FileRefusedError, type TextEncoding } from './curve-file-types.ts'

/** A text file as bytes in which ASCII is ASCII, and how to read the rest. */
export type TextBytes = { bytes: Uint8Array; encoding: TextEncoding; decode(from: number, to: number): string }

/** A CSV file and where its names of columns are. */
export type CsvSource = {
  text: TextBytes
  separator: number
  lines: number
  header: string
  headerLine: number
  from: number
}

const SAMPLE_BYTES = 65_536

const starts = (bytes: Uint8Array, ...head: number[]) => head.every((byte, at) => bytes[at] === byte)

function detectUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (starts(bytes, 0xff, 0xfe) && !starts(bytes, 0xff, 0xfe, 0, 0)) return 'utf-16le'
  if (starts(bytes, 0xfe, 0xff)) return 'utf-16be'
  // Without a mark, Latin text still shows itself: every other byte is zero.
  const ascii = (byte: number | undefined) => byte !== undefined && byte >= 32 && byte < 127
  if (ascii(bytes[0]) && bytes[1] === 0 && ascii(bytes[2]) && bytes[3] === 0) return 'utf-16le'
  if (bytes[0] === 0 && ascii(bytes[1]) && bytes[2] === 0 && ascii(bytes[3])) return 'utf-16be'
  return null
}

const withDecoder = (bytes: Uint8Array, encoding: TextEncoding): TextBytes => {
  const decoder = new TextDecoder(encoding === 'windows-1252' ? 'windows-1252' : 'utf-8')
  return { bytes, encoding, decode: (from, to) => decoder.decode(bytes.subarray(from, to)) }
}

/** Finds the encoding: UTF-16 is turned into UTF-8; what is not valid UTF-8 is taken as Windows’ Western encoding. */
export function decodeTextFile(file: Uint8Array): TextBytes {
  const wide = detectUtf16(file)
  if (wide) {
    const text = new TextDecoder(wide).decode(file)
    return withDecoder(new TextEncoder().encode(text), 'utf-16')
  }
  const bytes = starts(file, 0xef, 0xbb, 0xbf) ? file.subarray(3) : file
  const sample = bytes.subarray(0, SAMPLE_BYTES)
  if (sample.some((byte) => byte < 9 || (byte > 13 && byte < 32 && byte !== 27)))
    throw new FileRefusedError(
      'Ce fichier n’est pas du texte lisible\u00a0: son contenu est binaire ou son encodage est inconnu. Attendu\u00a0: un CSV ou un XML en UTF-8, UTF-16 ou Windows-1252.',
    )
  return withDecoder(bytes, isUtf8(sample) ? 'utf-8' : 'windows-1252')
}

function isUtf8(sample: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: true })
    return true
  } catch {
    return false
  }
}

/** One line of a CSV file, as bounds of its fields in the bytes. */
export type CsvRow = {
  fields: number
  /** start and end of each field, as many as fit */
  bounds: Int32Array
  /** where the next line starts */
  next: number
  start: number
  end: number
}

export const createCsvRow = (fields: number): CsvRow => ({
  fields: 0,
  bounds: new Int32Array(fields * 2),
  next: 0,
  start: 0,
  end: 0,
})

const NEWLINE = 10
const RETURN = 13
const SPACE = 32
const QUOTE = 34

/** Splits the line that starts at `from`. A quoted field may hold the separator, not a line break: no curve file has one. */
export function splitCsvRow(bytes: Uint8Array, from: number, separator: number, row: CsvRow): void {
  const { bounds } = row
  const length = bytes.length
  let at = from
  let fields = 0
  let field = from
  for (;;) {
    const byte = at < length ? bytes[at] : NEWLINE
    if (byte === QUOTE && at === field) {
      at++
      while (at < length && bytes[at] !== QUOTE && bytes[at] !== NEWLINE) at++
      if (bytes[at] === QUOTE) at++
      continue
    }
    if (byte === separator || byte === NEWLINE) {
      if (fields * 2 < bounds.length) setBounds(bytes, bounds, fields * 2, field, at)
      fields++
      field = at + 1
      if (byte === NEWLINE) break
    }
    at++
  }
  row.fields = fields
  row.start = from
  row.end = at
  row.next = at + 1
}

function setBounds(bytes: Uint8Array, bounds: Int32Array, at: number, from: number, to: number): void {
  let start = from
  let end = to
  while (end > start && (bytes[end - 1] === RETURN || bytes[end - 1] === SPACE)) end--
  while (start < end && bytes[start] === SPACE) start++
  if (end - start >= 2 && bytes[start] === QUOTE && bytes[end - 1] === QUOTE) {
    start++
    end--
  }
  bounds[at] = start
  bounds[at + 1] = end
}

/** Lines of a file; stops counting past the limit. */
export function countLines(bytes: Uint8Array, limit: number): number {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let lines = bytes.length > 0 && bytes[bytes.length - 1] !== NEWLINE ? 1 : 0
  for (let at = buffer.indexOf(NEWLINE); at !== -1 && lines <= limit; at = buffer.indexOf(NEWLINE, at + 1)) lines++
  return lines
}

const SEPARATORS = [';', '\t', ',']
/** The separator of a line of headers, as a byte. */
export const detectCsvSeparator = (line: string): number =>
  (SEPARATORS.find((separator) => line.includes(separator)) ?? ';').charCodeAt(0)
