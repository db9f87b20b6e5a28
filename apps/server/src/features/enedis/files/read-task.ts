import type { MessagePort } from 'node:worker_threads'
import type { ParsedSeries } from '@voisol/file-formats/curve-file-types'
import type { TaskResult } from '../../../workers/task.ts'
import { decodeParts } from './decode-flows.ts'
import { type OpenFileInput, openFileParts } from './open-file.ts'
import {
  type FileDataSink,
  type ParsedContractEvent,
  type ParsedIndex,
  type ParsedQuantities,
  type PointReference,
  UNKNOWN_DIRECTION,
} from './parsed-content.ts'
import { type QuarantineCode, QuarantineError } from './quarantine.ts'

export type CheckedFile = { kinds: string[]; points: PointReference[] }
export type FileBatch =
  | { days: ParsedSeries[] }
  | { indexes: ParsedIndex[] }
  | { quantities: ParsedQuantities[] }
  | { events: ParsedContractEvent[] }
export type ReaderMessage =
  | { checked: CheckedFile }
  | { batch: FileBatch }
  | { done: true }
  | { refused: { code: QuarantineCode; message: string } }
/** The points to return from the second pass (none: stop), or the acknowledgement of one batch. */
export type ReaderRequest = { read: string[] } | { taken: true }

/** Maximum number of unacknowledged batches. */
const MAX_BATCHES_IN_FLIGHT = 2

type ReaderChannel = {
  say(said: ReaderMessage, moved?: ArrayBuffer[]): void
  chosen: Promise<string[]>
  room(): Promise<void>
}

/** Message channel to the server thread, which gets the content and answers with its requests. */
function openReaderChannel(port: MessagePort): ReaderChannel {
  const { promise: chosen, resolve } = Promise.withResolvers<string[]>()
  let free = MAX_BATCHES_IN_FLIGHT
  let waiting: (() => void) | undefined
  port.on('message', (asked: ReaderRequest) => {
    if ('read' in asked) return resolve(asked.read)
    free++
    waiting?.()
  })
  return {
    say: (said, moved = []) => port.postMessage(said, moved),
    chosen,
    async room() {
      while (free === 0)
        await new Promise<void>((again) => {
          waiting = again
        })
      free--
    },
  }
}

function createPointCollector(): { sink: FileDataSink; points: () => PointReference[] } {
  const points = new Map<string, PointReference>()
  const all = (rows: { prm: string; direction?: string | null }[]) => {
    for (const { prm, direction = null } of rows) points.set(`${prm} ${direction}`, { prm, direction })
  }
  const days = (series: ParsedSeries[]) =>
    all(series.map(({ prm, direction }) => ({ prm, direction: direction ?? UNKNOWN_DIRECTION })))
  return { sink: { days, indexes: all, quantities: all, events: all }, points: () => [...points.values()] }
}

/** The days of a series share their buffers: each buffer may be transferred once only. */
const listBuffers = (series: ParsedSeries[]) => [
  ...new Set(series.flatMap(({ days }) => days.flatMap(({ watts, quality }) => [watts.buffer, quality.buffer]))),
]

const NO_LINES = new Int32Array(0)

function createBatchSender({ say, room }: ReaderChannel, prms: Set<string>): FileDataSink {
  const sendBatch = async (batch: FileBatch, size: number, moved?: ArrayBuffer[]) => {
    if (size === 0) return
    await room()
    say({ batch }, moved)
  }
  const keepKnown = <T extends { prm: string }>(rows: T[]) => rows.filter(({ prm }) => prms.has(prm))
  return {
    days(series) {
      const days = keepKnown(series).map((one) => ({
        ...one,
        days: one.days.map((day) => ({ ...day, lines: NO_LINES })),
      }))
      return sendBatch({ days }, days.length, listBuffers(days) as ArrayBuffer[]) // none of them is a SharedArrayBuffer
    },
    indexes: (rows) => sendBatch({ indexes: keepKnown(rows) }, keepKnown(rows).length),
    quantities: (rows) => sendBatch({ quantities: keepKnown(rows) }, keepKnown(rows).length),
    events: (rows) => sendBatch({ events: keepKnown(rows) }, keepKnown(rows).length),
  }
}

async function checkThenRead(opening: OpenFileInput, channel: ReaderChannel): Promise<void> {
  const parts = await openFileParts(opening)
  const { sink, points } = createPointCollector()
  const kinds = await decodeParts(parts, sink)
  channel.say({ checked: { kinds, points: points() } })
  const prms = await channel.chosen
  if (prms.length > 0) await decodeParts(parts, createBatchSender(channel, new Set(prms)))
  channel.say({ done: true })
}

export default async function readFileTask({
  opening,
  port,
}: {
  opening: OpenFileInput
  port: MessagePort
}): Promise<TaskResult<null>> {
  const channel = openReaderChannel(port)
  try {
    await checkThenRead(opening, channel)
  } catch (error) {
    if (!(error instanceof QuarantineError)) throw error
    channel.say({ refused: { code: error.code, message: error.message } })
  } finally {
    port.close()
  }
  return { value: null }
}
