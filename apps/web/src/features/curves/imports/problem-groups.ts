import { csv } from '../../../ui/chart/download.ts'
import { type ImportProblem, problemLabel } from '../labels.ts'

/** What was counted, most first; more may have been counted than kept. */
export const groupsOf = (counts: Record<string, number>) =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .toSorted(([, a], [, b]) => b - a)
    .map(([code, count]) => ({ value: code, label: problemLabel(code), count }))

export const SEVERITIES = { error: 'Erreur', warning: 'Avertissement' } as const

/** As it is shown: one remark per line. */
export const problemsCsv = (problems: ImportProblem[]) =>
  csv([
    ['Ligne', 'Gravité', 'Nature', 'PRM', 'Message'],
    ...problems.map(({ line, severity, code, prm = '', message }) => [
      line > 0 ? String(line) : '',
      SEVERITIES[severity],
      problemLabel(code),
      prm,
      message,
    ]),
  ])
