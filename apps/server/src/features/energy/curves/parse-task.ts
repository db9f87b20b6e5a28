import {
  type CurveDay,
  type CurveFileChoices,
  FileRefusedError,
  type ParsedFile,
} from '@voisol/file-formats/curve-file-types'
import { parseCurveFile } from '@voisol/file-formats/parse-curve-file'
import type { TaskResult } from '../../../workers/task.ts'

type ParseTaskInput = { name: string; bytes: Uint8Array<ArrayBuffer>; choices: CurveFileChoices }
type ParseOutcome = { parsed: ParsedFile } | { refused: string }

function parseOrRefuse({ name, bytes, choices }: ParseTaskInput): ParseOutcome {
  try {
    return { parsed: parseCurveFile(name, bytes, choices) }
  } catch (error) {
    if (error instanceof FileRefusedError) return { refused: error.message }
    throw error
  }
}

const listDayBuffers = ({ watts, quality, lines }: CurveDay) => [watts.buffer, quality.buffer, lines.buffer]

/** Days of a series share their buffers: each is transferred once. */
const listTransferableBuffers = (found: ParseOutcome): ArrayBufferLike[] =>
  'parsed' in found ? [...new Set(found.parsed.series.flatMap(({ days }) => days.flatMap(listDayBuffers)))] : []

export default function parseFileTask(given: ParseTaskInput): TaskResult<ParseOutcome> {
  const value = parseOrRefuse(given)
  return { value, moved: listTransferableBuffers(value) as ArrayBuffer[] } // none of them is a SharedArrayBuffer
}
