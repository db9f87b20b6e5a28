import type { Problem, ProblemCode } from './types.ts'

const SHOWN = 500

export type Report = {
  problems: Problem[]
  counts: Partial<Record<ProblemCode, number>>
  /** `message` is built only for the problems that are shown: a file may hold millions. */
  error(code: ProblemCode, line: number, prm: string, message: () => string, times?: number): void
  warning(code: ProblemCode, line: number, prm: string, message: () => string, times?: number): void
}

export function createReport(): Report {
  const problems: Problem[] = []
  const counts: Report['counts'] = {}
  const add =
    (severity: Problem['severity']): Report['error'] =>
    (code, line, prm, message, times = 1) => {
      counts[code] = (counts[code] ?? 0) + times
      if (problems.length >= SHOWN) return
      problems.push({ line, code, severity, ...(prm && { prm }), message: message() })
    }
  return { problems, counts, error: add('error'), warning: add('warning') }
}
