import { createReadStream, existsSync } from 'node:fs'
import type { FileStore } from '../../../adapters/files/files.ts'
import { CopyFault } from './fault.ts'
import { contentKey, listCopies } from './place.ts'
import type { CopySource } from './read-copy.ts'

export const sourceAt =
  (place: FileStore, name: string): CopySource =>
  async () => {
    const content = await place.stream(contentKey(name))
    if (!content) throw new CopyFault(`La copie ${name} n’est plus là où les copies sont gardées.`)
    return content
  }

/** A file of this machine, one of those that are kept, or the newest of them. */
export async function findSource(place: FileStore, asked: string): Promise<{ name: string; source: CopySource }> {
  if (existsSync(asked))
    return { name: asked, source: async () => createReadStream(asked, { highWaterMark: 1024 * 1024 }) }
  const kept = await listCopies(place)
  const found = kept.find(({ manifest }, index) => (asked === 'latest' ? index === 0 : manifest.name === asked))
  if (found) return { name: found.manifest.name, source: sourceAt(place, found.manifest.name) }
  const names = kept.slice(0, 3).map(({ manifest }) => manifest.name)
  throw new CopyFault(
    `Aucune copie «\u00a0${asked}\u00a0»\u00a0: ni fichier de cette machine, ni copie gardée${names.length ? ` (les dernières\u00a0: ${names.join(', ')})` : ''}.`,
  )
}
