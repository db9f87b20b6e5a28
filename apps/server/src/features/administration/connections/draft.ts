import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { OutgoingFile } from '../../../adapters/connections/connector.ts'
import type { Config } from '../../../config.ts'

export type OutgoingFileContent = Uint8Array | string | AsyncIterable<Uint8Array>

/** Writes the file to disk before it is sent: it may be too large for memory. */
export async function writeOutgoingFile(
  folder: string,
  name: string,
  mediaType: string,
  content: OutgoingFileContent,
): Promise<OutgoingFile> {
  const path = join(folder, crypto.randomUUID())
  const hash = createHash('sha256')
  let bytes = 0
  const counted = new Transform({
    transform(piece: Buffer, _, done) {
      hash.update(piece)
      bytes += piece.length
      done(null, piece)
    },
  })
  const pieces = typeof content === 'string' || content instanceof Uint8Array ? [Buffer.from(content)] : content
  await pipeline(Readable.from(pieces), counted, createWriteStream(path, { mode: 0o600 }))
  return { name, path, bytes, sha256: hash.digest('hex'), mediaType }
}

/** A temporary folder for the files of one run, deleted after it. */
export async function withDraftFolder<T>({ dataDir }: Config, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = join(dataDir, 'connection-drafts', crypto.randomUUID())
  await mkdir(folder, { recursive: true, mode: 0o700 })
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
