import { readZip } from '../src/files/read-zip.ts'
import { type Entry, zipOf } from '../src/files/zip.ts'

/** An archive of these entries, in their order. */
export async function pack(entries: { name: string; content: string | Buffer }[]): Promise<Buffer> {
  async function* each(): AsyncGenerator<Entry> {
    for (const { name, content } of entries)
      yield {
        name,
        content: Buffer.from(content),
        on: '2026-05-19',
        ...(typeof content === 'string' && { text: true }),
      }
  }
  const parts: Uint8Array[] = []
  for await (const part of zipOf(each())) parts.push(part)
  return Buffer.concat(parts)
}

/** The same archive with the text of its entries changed; an entry for which nothing is given is left out. */
export const repack = (zip: Buffer, change: (name: string, text: string) => string | undefined): Promise<Buffer> =>
  pack(
    readZip(zip).flatMap(({ name, read }) => {
      const content = read()
      const isText = /\.(jsonl?|csv|txt)$/.test(name)
      const text = change(name, isText ? content.toString() : '')
      return text === undefined ? [] : [{ name, content: isText ? text : content }]
    }),
  )
