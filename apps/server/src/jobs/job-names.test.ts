import { expect, test } from 'vitest'
import { getJobLabel, JOB_LABELS } from './job-names.ts'
import { jobs } from './registry.ts'

test('every job has its own French label, and no label is for a removed job', () => {
  expect(Object.keys(JOB_LABELS).sort()).toEqual(Object.keys(jobs).sort())
  const names = Object.values(JOB_LABELS)
  expect(new Set(names).size).toBe(names.length)
  for (const name of names) expect(name).toMatch(/^[A-ZÀÉ][^.'"]{5,60}$/)
})

test('an unknown job is shown by its name', () => {
  expect([getJobLabel('sync.run'), getJobLabel('ancienne.tâche'), getJobLabel('constructor')]).toEqual([
    'Synchronisation avec le distributeur',
    'ancienne.tâche',
    'constructor',
  ])
})
