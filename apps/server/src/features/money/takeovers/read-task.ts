import type { Answer } from '../../../compute/task.ts'
import { type ReadLine, readPast } from './read.ts'

/** A file of past documents, understood line by line. */
export default async function read(bytes: Uint8Array): Promise<Answer<ReadLine[]>> {
  return { value: await readPast(bytes) }
}
