import { type ProseWithWordCount, parseAndCountWords } from '../../../prose/cached-prose.ts'
import type { TaskResult } from '../../../workers/task.ts'

/** Texts of the desk as trees. */
export default function parseProseTexts(texts: string[]): TaskResult<ProseWithWordCount[]> {
  return { value: texts.map(parseAndCountWords) }
}
