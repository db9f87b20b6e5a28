import { expect, test } from 'vitest'
import { findOldestOverdue } from './labels.ts'

test('what has been late the longest comes first; what is only due does not', () => {
  const rows = [
    { id: 'new', state: 'due', dueOn: '2026-12-02' },
    { id: 'late', state: 'overdue', dueOn: '2026-10-22' },
    { id: 'later', state: 'overdue', dueOn: '2026-11-02' },
    { id: 'paid', state: 'settled', dueOn: '2026-05-22' },
  ] as const
  expect(findOldestOverdue([...rows])?.id).toBe('late')
  expect(findOldestOverdue(rows.filter(({ state }) => state !== 'overdue'))).toBeUndefined()
})
