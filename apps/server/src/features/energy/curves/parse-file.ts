import type { Deps } from '../../../deps.ts'
import { type CurveFileChoices, FileRefusedError, type ParsedFile } from '../../../formats/types.ts'
import { AppError } from '../../../http/errors.ts'

type ParseFileInput = {
  companyId: number
  name: string
  bytes: Uint8Array
  choices?: CurveFileChoices
  seconds?: number
}

/**
 * Parses a file in a worker thread so that the server keeps responding; a file that takes too long or too much memory
 * is refused.
 */
export async function parseCurveFileInWorker(
  { compute }: Pick<Deps, 'compute'>,
  input: ParseFileInput,
): Promise<ParsedFile> {
  const { companyId, name, choices = {}, seconds } = input
  // A copy, since a small Buffer shares its memory with other requests.
  const bytes = new Uint8Array(input.bytes)
  const options = { companyId, moved: [bytes.buffer], ...(seconds !== undefined && { seconds }) }
  const result = await compute('curves.parse', { name, bytes, choices }, options).catch(throwParseRefused)
  if ('refused' in result) throw new FileRefusedError(result.refused)
  return result.parsed
}

function throwParseRefused(error: unknown): never {
  const code = error instanceof AppError ? error.code : ''
  if (code === 'compute-time')
    throw new FileRefusedError('Ce fichier est trop long à lire. Partagez-le par période ou par groupe de points.')
  if (code === 'compute-memory')
    throw new FileRefusedError('Ce fichier demande trop de mémoire. Partagez-le par période ou par groupe de points.')
  throw error
}
