import type { CsvLine } from '../../../files/csv.ts'
import { readTable } from '../../../files/table-file.ts'
import type { TaskResult } from '../../../workers/task.ts'

/** Parses a table of mandates into cells. */
export default async function readMandateTable(bytes: Uint8Array): Promise<TaskResult<CsvLine[]>> {
  return { value: await readTable(bytes) }
}
