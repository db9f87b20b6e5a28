import type { TaskResult } from '../../../workers/task.ts'
import { type ProseWithWordCount, parseAndCountWords } from '../../../prose/cached-prose.ts'

/** Texts of the desk as trees. */
export default function parseProseTexts(texts: string[]): TaskResult<ProseWithWordCount[]> {
  return { value: texts.map(parseAndCountWords) }
}
