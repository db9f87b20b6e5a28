import type { Answer } from '../../../compute/task.ts'
import { type CsvLine, readCsv } from '../../../files/csv.ts'

/** A pasted list of people, as cells. */
export default function read(csv: string): Answer<CsvLine[]> {
  return { value: readCsv(csv) }
}
