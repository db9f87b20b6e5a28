import type { Deps } from '../../../deps.ts'
import { type Choices, FileRefused, type ParsedFile } from '../../../formats/types.ts'
import { AppError } from '../../../http/errors.ts'

type Given = { companyId: number; name: string; bytes: Uint8Array; choices?: Choices; seconds?: number }

/** Reads a file beside the server, which goes on answering; a file that takes too long or too much memory is refused. */
export async function parseInWorker({ compute }: Pick<Deps, 'compute'>, given: Given): Promise<ParsedFile> {
  const { companyId, name, choices = {}, seconds } = given
  // A copy of its own: a small Buffer is a window on memory that other requests share.
  const bytes = new Uint8Array(given.bytes)
  const options = { companyId, moved: [bytes.buffer], ...(seconds !== undefined && { seconds }) }
  const read = await compute('curves.parse', { name, bytes, choices }, options).catch(refuse)
  if ('refused' in read) throw new FileRefused(read.refused)
  return read.parsed
}

function refuse(error: unknown): never {
  const code = error instanceof AppError ? error.code : ''
  if (code === 'compute-time')
    throw new FileRefused('Ce fichier est trop long à lire. Partagez-le par période ou par groupe de points.')
  if (code === 'compute-memory')
    throw new FileRefused('Ce fichier demande trop de mémoire. Partagez-le par période ou par groupe de points.')
  throw error
}
