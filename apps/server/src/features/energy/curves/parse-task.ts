import type { Answer } from '../../../compute/task.ts'
import { parseCurveFile } from '../../../formats/parse.ts'
import { type Choices, type CurveDay, FileRefused, type ParsedFile } from '../../../formats/types.ts'

type Given = { name: string; bytes: Uint8Array<ArrayBuffer>; choices: Choices }
type Read = { parsed: ParsedFile } | { refused: string }

function read({ name, bytes, choices }: Given): Read {
  try {
    return { parsed: parseCurveFile(name, bytes, choices) }
  } catch (error) {
    if (error instanceof FileRefused) return { refused: error.message }
    throw error
  }
}

const columnsOf = ({ watts, quality, lines }: CurveDay) => [watts.buffer, quality.buffer, lines.buffer]

/** Days of a series share their buffers: each is moved once. */
const buffersOf = (found: Read): ArrayBufferLike[] =>
  'parsed' in found ? [...new Set(found.parsed.series.flatMap(({ days }) => days.flatMap(columnsOf)))] : []

export default function parse(given: Given): Answer<Read> {
  const value = read(given)
  return { value, moved: buffersOf(value) as ArrayBuffer[] } // none of them is a SharedArrayBuffer
}
