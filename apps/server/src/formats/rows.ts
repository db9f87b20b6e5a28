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
