import type { TaskResult } from '../../../compute/task.ts'
import { type ProseWithWordCount, parseAndCountWords } from '../../../prose/remembered.ts'

/** Texts of the desk as trees. */
export default function parseProseTexts(texts: string[]): TaskResult<ProseWithWordCount[]> {
  return { value: texts.map(parseAndCountWords) }
}
