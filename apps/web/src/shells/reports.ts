import type { Screen } from '../screens/types.ts'

const REPORTS = [
  { path: '/reports', label: 'Rapports énergétiques' },
  { path: '/analytics', label: 'Analyses détaillées' },
  { path: '/exports', label: 'Exports de données' },
]

/** The reports this installation has a screen for. */
export const filterAvailableReports = (table: readonly Screen[]) =>
  REPORTS.filter(({ path }) => table.some((row) => row.path === path))
