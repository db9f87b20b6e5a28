import type { TaskResult } from '../../../compute/task.ts'
import { type ProseWithWordCount, parseAndCountWords } from '../../../prose/cached-prose.ts'

/** Texts of the desk as trees. */
export default function parseProseTexts(texts: string[]): TaskResult<ProseWithWordCount[]> {
  return { value: texts.map(parseAndCountWords) }
}
