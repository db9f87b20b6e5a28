import { z } from 'zod'
import { bytesOf } from './byte-reader.ts'
import { corrupt } from './sealing.ts'

/** What follows in a copy: the rows of a table, a file of the store, or at the very end what all of it was. */
export const SectionHead = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('table'), name: z.string(), columns: z.array(z.string()) }),
  z.strictObject({ kind: z.literal('file'), key: z.string(), mediaType: z.string() }),
  z.strictObject({ kind: z.literal('manifest') }),
])
export type SectionHead = z.infer<typeof SectionHead>
export type Section = { head: SectionHead; body: AsyncIterable<Uint8Array> }

const MOST_HEAD = 1024 * 1024
const MOST_PIECE = 64 * 1024 * 1024

function size(bytes: number): Buffer {
  const part = Buffer.alloc(4)
  part.writeUInt32BE(bytes)
  return part
}

export async function* writeSection(head: SectionHead, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const text = Buffer.from(JSON.stringify(head))
  yield Buffer.concat([size(text.length), text])
  for await (const piece of body) {
    if (!piece.length) continue
    yield size(piece.length)
    yield piece
  }
  yield size(0)
}

/** The sections in their order; what of one is left unread is passed over. */
export async function* readSections(source: AsyncIterable<Uint8Array>): AsyncGenerator<Section> {
  const input = bytesOf(source)
  const number = async () => (await input.take(4))?.readUInt32BE()
  for (let bytes = await number(); bytes !== undefined; bytes = await number()) {
    const text = bytes <= MOST_HEAD ? await input.take(bytes) : undefined
    if (!text) throw corrupt()
    const body = pieces(input, number)
    yield { head: SectionHead.parse(JSON.parse(text.toString())), body }
    for await (const _ of body);
  }
}

async function* pieces(
  input: ReturnType<typeof bytesOf>,
  number: () => Promise<number | undefined>,
): AsyncGenerator<Uint8Array> {
  for (;;) {
    const bytes = await number()
    if (bytes === 0) return
    const piece = bytes !== undefined && bytes <= MOST_PIECE ? await input.take(bytes) : undefined
    if (!piece) throw corrupt()
    yield piece
  }
}
