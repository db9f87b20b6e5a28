import { isDeepStrictEqual } from 'node:util'
import { AppError } from './errors.ts'

type Versioned = { version: number }

const formatValue = (value: unknown) => (value === '' || value === null ? 'vide' : `«\u00a0${String(value)}\u00a0»`)

/** In a conflict, the later edit gets the stored value of each field where it differs from what was sent. */
export function requireCurrentVersion<T extends Versioned>(
  current: T,
  wanted: Versioned & { [K in keyof T]?: unknown },
) {
  if (current.version === wanted.version) return
  const issues = Object.entries(current)
    .filter(([key, value]) => key !== 'version' && key in wanted && !isDeepStrictEqual(wanted[key as keyof T], value)) // a key of both
    .map(([path, value]) => ({ path, message: `Enregistré entre-temps\u00a0: ${formatValue(value)}.` }))
  throw new AppError('stale', { issues })
}
