import type { TaskResult } from '../../../workers/task.ts'
import { type ParsedLine, parseParticipantFile } from './parse-participant-file.ts'

/** Parses a file of participants line by line. */
export default async function parseParticipantsTask(bytes: Uint8Array): Promise<TaskResult<ParsedLine[]>> {
  return { value: await parseParticipantFile(bytes) }
}
