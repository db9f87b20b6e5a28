import type { Run } from '@voisol/contract/allocations'
import { expect, test } from 'vitest'
import { findExactRuns } from './time-classes.ts'

const run = (id: string, from: string, to: string, daysInForce: number, status: Run['status'] = 'done'): Run => ({
  id,
  operationId: 'o',
  from,
  to,
  kind: 'provisional',
  status,
  estimated: false,
  estimateBy: 'own',
  signOff: null,
  progress: 100,
  message: '',
  inputHash: null,
  resultHash: null,
  engineVersion: '1',
  keys: [],
  counts: null,
  totals: null,
  staleAt: null,
  staleReason: '',
  daysInForce,
  createdBy: '',
  createdAt: '2026-01-01T00:00:00Z',
  finishedAt: null,
})

const october = { from: '2026-10-01', to: '2026-11-01' }

test('whole runs within the period make it up; those replaced or at work do not count', () => {
  const runs = [
    run('first half', '2026-10-01', '2026-10-16', 15),
    run('second half', '2026-10-16', '2026-11-01', 16),
    run('replaced', '2026-10-01', '2026-11-01', 0),
    run('at work', '2026-10-01', '2026-11-01', 0, 'running'),
    run('another month', '2026-09-01', '2026-10-01', 30),
  ]
  expect(findExactRuns(runs, october)?.map(({ id }) => id)).toEqual(['first half', 'second half'])
})

test('a run cut by the period or by another run makes the split unknown', () => {
  expect(findExactRuns([run('longer', '2026-09-15', '2026-10-15', 30)], october)).toBeNull()
  expect(findExactRuns([run('partly replaced', '2026-10-01', '2026-11-01', 20)], october)).toBeNull()
})
