import type { Answer } from '../../../compute/task.ts'
import { type ReadLine, readParticipants } from './import-read.ts'

/** A file of participants, understood line by line. */
export default async function read(bytes: Uint8Array): Promise<Answer<ReadLine[]>> {
  return { value: await readParticipants(bytes) }
}
