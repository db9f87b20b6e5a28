import { expect, test } from 'vitest'
import { getJobLabel, JOB_LABELS } from './job-names.ts'
import { jobs } from './registry.ts'

test('every job has a French name of its own, and no name is of a job that is gone', () => {
  expect(Object.keys(JOB_LABELS).sort()).toEqual(Object.keys(jobs).sort())
  const names = Object.values(JOB_LABELS)
  expect(new Set(names).size).toBe(names.length)
  for (const name of names) expect(name).toMatch(/^[A-ZÀÉ][^.'"]{5,60}$/)
})

test('one that nobody knows is called by its own name', () => {
  expect([getJobLabel('sync.run'), getJobLabel('ancienne.tâche'), getJobLabel('constructor')]).toEqual([
    'Synchronisation avec le distributeur',
    'ancienne.tâche',
    'constructor',
  ])
})
