import type { TaskResult } from '../../../compute/task.ts'
import { type CsvLine, readCsv } from '../../../files/csv.ts'

/** Parses a pasted or uploaded list of people into cells. */
export default function parseUserCsv(csv: string): TaskResult<CsvLine[]> {
  return { value: readCsv(csv) }
}
