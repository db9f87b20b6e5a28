import { createReadStream, existsSync } from 'node:fs'
import type { FileStore } from '../../../adapters/files/files.ts'
import { CopyFault } from './fault.ts'
import { getCopyContentKey, listCopies } from './place.ts'
import type { CopySource } from './read-copy.ts'

export const createCopySource =
  (place: FileStore, name: string): CopySource =>
  async () => {
    const content = await place.stream(getCopyContentKey(name))
    if (!content) throw new CopyFault(`La copie ${name} n’est plus là où les copies sont gardées.`)
    return content
  }

/** A file of this machine, one of those that are kept, or the newest of them. */
export async function requireCopySource(
  place: FileStore,
  requested: string,
): Promise<{ name: string; source: CopySource }> {
  if (existsSync(requested))
    return { name: requested, source: async () => createReadStream(requested, { highWaterMark: 1024 * 1024 }) }
  const storedCopies = await listCopies(place)
  const found = storedCopies.find(({ manifest }, index) =>
    requested === 'latest' ? index === 0 : manifest.name === requested,
  )
  if (found) return { name: found.manifest.name, source: createCopySource(place, found.manifest.name) }
  const names = storedCopies.slice(0, 3).map(({ manifest }) => manifest.name)
  throw new CopyFault(
    `Aucune copie «\u00a0${requested}\u00a0»\u00a0: ni fichier de cette machine, ni copie gardée${names.length ? ` (les dernières\u00a0: ${names.join(', ')})` : ''}.`,
  )
}
