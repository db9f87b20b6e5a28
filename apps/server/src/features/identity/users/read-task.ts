import { type CsvLine, readCsv } from '../../../files/csv.ts'
import type { TaskResult } from '../../../workers/task.ts'

/** Parses a pasted or uploaded list of people into cells. */
export default function parseUserCsv(csv: string): TaskResult<CsvLine[]> {
  return { value: readCsv(csv) }
}
