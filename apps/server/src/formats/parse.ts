import { assemble } from './assemble.ts'
import { isPrm } from './raw.ts'
import { readFile } from './read-file.ts'
import { createReport } from './report.ts'
import { type Choices, FileRefused, type ParsedFile } from './types.ts'

export { MAX_BYTES, MAX_ROWS } from './limits.ts'

/** Reads a load-curve file of any known format; throws FileRefused when it is none, or too large. */
export function parseCurveFile(name: string, bytes: Uint8Array, choices: Choices = {}): ParsedFile {
  if (choices.prm !== undefined && !isPrm(choices.prm)) throw new FileRefused('Le PRM choisi doit avoir 14 chiffres.')
  const report = createReport()
  return assemble(readFile(name, bytes, report, choices), choices, report)
}
