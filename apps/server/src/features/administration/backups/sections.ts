import { z } from 'zod'
import { createByteReader } from './byte-reader.ts'
import { buildCorruptFault } from './sealing.ts'

/** What follows in a copy: the rows of a table, a file of the store, or at the very end what all of it was. */
export const SectionHeader = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('table'), name: z.string(), columns: z.array(z.string()) }),
  z.strictObject({ kind: z.literal('file'), key: z.string(), mediaType: z.string() }),
  z.strictObject({ kind: z.literal('manifest') }),
])
export type SectionHeader = z.infer<typeof SectionHeader>
export type Section = { head: SectionHeader; body: AsyncIterable<Uint8Array> }

const MAX_HEADER_BYTES = 1024 * 1024
const MAX_PIECE_BYTES = 64 * 1024 * 1024

function encodeSize(bytes: number): Buffer {
  const part = Buffer.alloc(4)
  part.writeUInt32BE(bytes)
  return part
}

export async function* writeSection(head: SectionHeader, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const text = Buffer.from(JSON.stringify(head))
  yield Buffer.concat([encodeSize(text.length), text])
  for await (const piece of body) {
    if (!piece.length) continue
    yield encodeSize(piece.length)
    yield piece
  }
  yield encodeSize(0)
}

/** The sections in their order; what of one is left unread is passed over. */
export async function* readSections(source: AsyncIterable<Uint8Array>): AsyncGenerator<Section> {
  const input = createByteReader(source)
  const number = async () => (await input.take(4))?.readUInt32BE()
  for (let bytes = await number(); bytes !== undefined; bytes = await number()) {
    const text = bytes <= MAX_HEADER_BYTES ? await input.take(bytes) : undefined
    if (!text) throw buildCorruptFault()
    const body = readPieces(input, number)
    yield { head: SectionHeader.parse(JSON.parse(text.toString())), body }
    for await (const _ of body);
  }
}

async function* readPieces(
  input: ReturnType<typeof createByteReader>,
  number: () => Promise<number | undefined>,
): AsyncGenerator<Uint8Array> {
  for (;;) {
    const bytes = await number()
    if (bytes === 0) return
    const piece = bytes !== undefined && bytes <= MAX_PIECE_BYTES ? await input.take(bytes) : undefined
    if (!piece) throw buildCorruptFault()
    yield piece
  }
}
