import type { Step } from '@voisol/energy/series'
import type { TaskResult } from '../../../workers/task.ts'
import { type CoefficientFileResult, readCoefficientFile } from './coefficient-file.ts'

/** Parses a coefficient file in a worker thread; the curves are transferred. */
export default function parseCoefficientsTask({
  bytes,
  step,
}: {
  bytes: Uint8Array
  step: Step
}): TaskResult<CoefficientFileResult> {
  const value = readCoefficientFile(bytes, step)
  const buffers = [...(value.rows?.curves.values() ?? [])].map(({ buffer }) => buffer as ArrayBuffer) // never shared
  return { value, moved: [...new Set(buffers)] }
}
