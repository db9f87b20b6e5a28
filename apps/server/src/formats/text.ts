import { FileRefusedError, type TextEncoding } from './types.ts'

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
