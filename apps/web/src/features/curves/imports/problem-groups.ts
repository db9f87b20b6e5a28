import { buildCsv } from '../../../ui/chart/download.ts'
import { getProblemLabel, type ImportProblem } from '../labels.ts'

/** What was counted, most first; more may have been counted than kept. */
export const groupProblems = (counts: Record<string, number>) =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .toSorted(([, a], [, b]) => b - a)
    .map(([code, count]) => ({ value: code, label: getProblemLabel(code), count }))

export const SEVERITY_LABELS = { error: 'Erreur', warning: 'Avertissement' } as const

/** As it is shown: one remark per line. */
export const buildProblemsCsv = (problems: ImportProblem[]) =>
  buildCsv([
    ['Ligne', 'Gravité', 'Nature', 'PRM', 'Message'],
    ...problems.map(({ line, severity, code, prm = '', message }) => [
      line > 0 ? String(line) : '',
      SEVERITY_LABELS[severity],
      getProblemLabel(code),
      prm,
      message,
    ]),
  ])
