import type { CurveFileProblem, CurveFileProblemCode } from './types.ts'

const MAX_SHOWN_PROBLEMS = 500

export type ParseReport = {
  problems: CurveFileProblem[]
  counts: Partial<Record<CurveFileProblemCode, number>>
  /** `message` is built only for the problems that are shown: a file may hold millions. */
  error(code: CurveFileProblemCode, line: number, prm: string, message: () => string, times?: number): void
  warning(code: CurveFileProblemCode, line: number, prm: string, message: () => string, times?: number): void
}

export function createParseReport(): ParseReport {
  const problems: CurveFileProblem[] = []
  const counts: ParseReport['counts'] = {}
  const add =
    (severity: CurveFileProblem['severity']): ParseReport['error'] =>
    (code, line, prm, message, times = 1) => {
      counts[code] = (counts[code] ?? 0) + times
      if (problems.length >= MAX_SHOWN_PROBLEMS) return
      problems.push({ line, code, severity, ...(prm && { prm }), message: message() })
    }
  return { problems, counts, error: add('error'), warning: add('warning') }
}
