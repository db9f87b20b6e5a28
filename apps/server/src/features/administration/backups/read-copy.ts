import { createHash } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import { CHUNK_BYTES } from './byte-reader.ts'
import { CopyFault } from './fault.ts'
import { COPY_FORMAT, Manifest } from './manifest.ts'
import { buildCorruptFault, decryptCopy } from './sealing.ts'
import { readSections, type Section } from './sections.ts'

/** The bytes of a copy, from their beginning each time it is asked. */
export type CopySource = () => Promise<AsyncIterable<Uint8Array>>
/** Takes what it wants of each section; the rest is passed over. */
type SectionVisitor = (section: Section) => Promise<void>

/** Walks a copy from its first byte to its last; anything wrong with it is a fault. */
export async function walkCopy(source: CopySource, key: string, visit: SectionVisitor): Promise<void> {
  try {
    await pipeline(
      await source(),
      (sealed) => decryptCopy(sealed, key),
      createZstdDecompress({ chunkSize: CHUNK_BYTES }),
      async (content) => {
        for await (const section of readSections(content)) await visit(section)
      },
    )
  } catch (error) {
    // The packing has errors of its own for what no longer unpacks.
    const packed = error instanceof Error && 'code' in error && String(error.code).startsWith('ZSTD')
    throw packed ? buildCorruptFault(error) : error
  }
}

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of body) parts.push(part)
  return Buffer.concat(parts).toString()
}

export async function hashStream(body: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  for await (const part of body) hash.update(part)
  return hash.digest('hex')
}

function readManifest(text: string): Manifest {
  const raw: unknown = JSON.parse(text)
  const format = typeof raw === 'object' && raw && 'format' in raw ? Number(raw.format) : 0
  if (format > COPY_FORMAT)
    throw new CopyFault(
      'Cette copie a été écrite par une version plus récente de Voisol\u00a0: mettez d’abord celle-ci à jour.',
    )
  return Manifest.parse(raw)
}

/** Of a file of a company, its name in the store is its hash. */
const hasWrongHash = (key: string, hash: string) => /\/[0-9a-f]{64}$/.test(key) && !key.endsWith(hash)

/** Reads all of a copy without keeping any of it: every table has its hash, every file its content. Needs no database. */
export async function verifyCopy(source: CopySource, key: string): Promise<Manifest> {
  let manifest: Manifest | undefined
  const hashes = new Map<string, string>()
  let files = 0
  await walkCopy(source, key, async ({ head, body }) => {
    if (manifest) throw buildCorruptFault()
    if (head.kind === 'manifest') manifest = readManifest(await readText(body))
    else if (head.kind === 'table') hashes.set(head.name, await hashStream(body))
    else if (hasWrongHash(head.key, await hashStream(body))) throw buildCorruptFault()
    else files++
  })
  if (!manifest || files !== manifest.files.count || hashes.size !== manifest.tables.length) throw buildCorruptFault()
  for (const { name, hash } of manifest.tables) if (hashes.get(name) !== hash) throw buildCorruptFault()
  return manifest
}
