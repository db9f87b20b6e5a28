import { expect, test } from 'vitest'
import type { Screen } from '../screens/types.ts'
import { filterAvailableReports } from './admin-header.tsx'

const row = (path: Screen['path']): Screen => ({
  path,
  title: path,
  role: 'admin',
  screen: async () => ({ default: () => null }),
})

test('a report is offered only where its screen exists, in the fixed order', () => {
  expect(filterAvailableReports([row('/dashboard')])).toEqual([])
  expect(filterAvailableReports([row('/exports'), row('/reports')]).map(({ label }) => label)).toEqual([
    'Rapports énergétiques',
    'Exports de données',
  ])
})
