import type { Step } from '@voisol/energy/series'
import type { Answer } from '../../../compute/task.ts'
import { type FileRead, readFile } from './coefficient-file.ts'

/** A file of coefficients; each curve is handed over. */
export default function read({ bytes, step }: { bytes: Uint8Array; step: Step }): Answer<FileRead> {
  const value = readFile(bytes, step)
  const buffers = [...(value.rows?.curves.values() ?? [])].map(({ buffer }) => buffer as ArrayBuffer) // never shared
  return { value, moved: [...new Set(buffers)] }
}
