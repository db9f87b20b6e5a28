import type { TaskResult } from '../../../compute/task.ts'
import { type CsvLine, readCsv } from '../../../files/csv.ts'

/** A pasted list of people, as cells. */
export default function parseUserCsv(csv: string): TaskResult<CsvLine[]> {
  return { value: readCsv(csv) }
}
