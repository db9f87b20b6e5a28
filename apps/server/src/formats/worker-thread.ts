import { parentPort, workerData } from 'node:worker_threads'
import { parseCurveFile } from './parse.ts'
import { type Choices, type CurveDay, FileRefused, type ParsedFile } from './types.ts'

export type Job = { name: string; bytes: Uint8Array<ArrayBuffer>; choices: Choices }
export type Answer = { parsed: ParsedFile } | { refused: string }

function answer({ name, bytes, choices }: Job): Answer {
  try {
    return { parsed: parseCurveFile(name, bytes, choices) }
  } catch (error) {
    if (error instanceof FileRefused) return { refused: error.message }
    throw error
  }
}

const columnsOf = ({ watts, quality, lines }: CurveDay) => [watts.buffer, quality.buffer, lines.buffer]

/** Days of a series share their buffers: each is moved once. */
const buffersOf = (reply: Answer): ArrayBufferLike[] =>
  'parsed' in reply ? [...new Set(reply.parsed.series.flatMap(({ days }) => days.flatMap(columnsOf)))] : []

const reply = answer(workerData as Job) // given by worker.ts alone
parentPort?.postMessage(reply, buffersOf(reply) as ArrayBuffer[]) // none of them is a SharedArrayBuffer
