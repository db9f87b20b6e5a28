import type { TaskResult } from '../../../workers/task.ts'
import { CopyFault, shortenFailure } from './copy-format.ts'
import { type ReadArchive, type ReadOptions, readCompanyArchive } from './read-archive.ts'

type ReadArchiveInput = ReadOptions & { zip: Uint8Array<ArrayBuffer> }
type ReadResult = { archive: ReadArchive } | { refused: string }

function tryReadArchive({ zip, ...options }: ReadArchiveInput): ReadResult {
  try {
    return { archive: readCompanyArchive(Buffer.from(zip.buffer), options) }
  } catch (error) {
    if (error instanceof CopyFault) return { refused: shortenFailure(error.message) }
    throw error
  }
}

/** An archive of a company, unpacked and parsed beside the server: it may hold anything. */
export default function readArchiveTask(input: ReadArchiveInput): TaskResult<ReadResult> {
  const value = tryReadArchive(input)
  const moved =
    'archive' in value
      ? [
          ...value.archive.tables.flatMap(({ batches }) => batches),
          ...value.archive.files.map(({ content }) => content),
        ]
      : []
  return { value, moved: moved.map(({ buffer }) => buffer) }
}
