import type { MessagePort } from 'node:worker_threads'
import type { Answer } from '../../../compute/task.ts'
import type { ParsedSeries } from '../../../formats/types.ts'
import { decodeParts } from './decode.ts'
import type { FoundEvent, FoundIndex, FoundQuantities, Sink } from './found.ts'
import { type Named, UNSAID } from './named.ts'
import { type Opening, openParts } from './opening.ts'
import { type Code, Quarantined } from './refusal.ts'

export type Checked = { kinds: string[]; points: Named[] }
export type Batch =
  | { days: ParsedSeries[] }
  | { indexes: FoundIndex[] }
  | { quantities: FoundQuantities[] }
  | { events: FoundEvent[] }
export type Said =
  | { checked: Checked }
  | { batch: Batch }
  | { done: true }
  | { refused: { code: Code; message: string } }
/** Which points the second reading gives (none: it is over), a word for each batch that was taken. */
export type Asked = { read: string[] } | { taken: true }

/** Batches that may be on their way at once. */
const AHEAD = 2

type Talk = { say(said: Said, moved?: ArrayBuffer[]): void; chosen: Promise<string[]>; room(): Promise<void> }

/** The other side hears what was found and says what it wants and what it has taken. */
function talkOver(port: MessagePort): Talk {
  const { promise: chosen, resolve } = Promise.withResolvers<string[]>()
  let free = AHEAD
  let waiting: (() => void) | undefined
  port.on('message', (asked: Asked) => {
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

function counting(): { sink: Sink; points: () => Named[] } {
  const points = new Map<string, Named>()
  const all = (rows: { prm: string; direction?: string | null }[]) => {
    for (const { prm, direction = null } of rows) points.set(`${prm} ${direction}`, { prm, direction })
  }
  const days = (series: ParsedSeries[]) =>
    all(series.map(({ prm, direction }) => ({ prm, direction: direction ?? UNSAID })))
  return { sink: { days, indexes: all, quantities: all, events: all }, points: () => [...points.values()] }
}

/** Days of a series share their buffers: each is moved once. */
const buffersOf = (series: ParsedSeries[]) => [
  ...new Set(series.flatMap(({ days }) => days.flatMap(({ watts, quality }) => [watts.buffer, quality.buffer]))),
]

const NO_LINES = new Int32Array(0)

function giving({ say, room }: Talk, prms: Set<string>): Sink {
  const give = async (batch: Batch, size: number, moved?: ArrayBuffer[]) => {
    if (size === 0) return
    await room()
    say({ batch }, moved)
  }
  const known = <T extends { prm: string }>(rows: T[]) => rows.filter(({ prm }) => prms.has(prm))
  return {
    days(series) {
      const days = known(series).map((one) => ({ ...one, days: one.days.map((day) => ({ ...day, lines: NO_LINES })) }))
      return give({ days }, days.length, buffersOf(days) as ArrayBuffer[]) // none of them is a SharedArrayBuffer
    },
    indexes: (rows) => give({ indexes: known(rows) }, known(rows).length),
    quantities: (rows) => give({ quantities: known(rows) }, known(rows).length),
    events: (rows) => give({ events: known(rows) }, known(rows).length),
  }
}

async function readTwice(opening: Opening, talk: Talk): Promise<void> {
  const parts = await openParts(opening)
  const { sink, points } = counting()
  const kinds = await decodeParts(parts, sink)
  talk.say({ checked: { kinds, points: points() } })
  const prms = await talk.chosen
  if (prms.length > 0) await decodeParts(parts, giving(talk, new Set(prms)))
  talk.say({ done: true })
}

export default async function read({ opening, port }: { opening: Opening; port: MessagePort }): Promise<Answer<null>> {
  const talk = talkOver(port)
  try {
    await readTwice(opening, talk)
  } catch (error) {
    if (!(error instanceof Quarantined)) throw error
    talk.say({ refused: { code: error.code, message: error.message } })
  } finally {
    port.close()
  }
  return { value: null }
}
