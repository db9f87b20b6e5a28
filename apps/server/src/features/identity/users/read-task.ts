import type { TaskResult } from '../../../workers/task.ts'
import { type CsvLine, readCsv } from '../../../files/csv.ts'

/** Parses a pasted or uploaded list of people into cells. */
export default function parseUserCsv(csv: string): TaskResult<CsvLine[]> {
  return { value: readCsv(csv) }
}
