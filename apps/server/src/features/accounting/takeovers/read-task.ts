import type { TaskResult } from '../../../workers/task.ts'
import { type ParsedPastLine, readPastDocuments } from './past-document-file.ts'

/** Parses a file of past documents line by line. */
export default async function readPastDocumentsTask(bytes: Uint8Array): Promise<TaskResult<ParsedPastLine[]>> {
  return { value: await readPastDocuments(bytes) }
}
