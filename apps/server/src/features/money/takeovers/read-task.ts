import type { TaskResult } from '../../../compute/task.ts'
import { type ParsedPastLine, readPastDocuments } from './read.ts'

/** A file of past documents, understood line by line. */
export default async function readPastDocumentsTask(bytes: Uint8Array): Promise<TaskResult<ParsedPastLine[]>> {
  return { value: await readPastDocuments(bytes) }
}
