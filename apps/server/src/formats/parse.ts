import { assembleFile } from './assemble.ts'
import { isPrm } from './raw.ts'
import { parseRawFile } from './read-file.ts'
import { createParseReport } from './report.ts'
import { type CurveFileChoices, FileRefusedError, type ParsedFile } from './types.ts'

export { MAX_CURVE_FILE_BYTES, MAX_CURVE_FILE_ROWS } from './limits.ts'

/** Reads a load-curve file of any known format; throws FileRefused when it is none, or too large. */
export function parseCurveFile(name: string, bytes: Uint8Array, choices: CurveFileChoices = {}): ParsedFile {
  if (choices.prm !== undefined && !isPrm(choices.prm))
    throw new FileRefusedError('Le PRM choisi doit avoir 14 chiffres.')
  const report = createParseReport()
  return assembleFile(parseRawFile(name, bytes, report, choices), choices, report)
}
