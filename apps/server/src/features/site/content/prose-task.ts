import type { Answer } from '../../../compute/task.ts'
import { type Read, readAndCount } from '../../../prose/remembered.ts'

/** Texts of the desk as trees. */
export default function read(texts: string[]): Answer<Read[]> {
  return { value: texts.map(readAndCount) }
}
