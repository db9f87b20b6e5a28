import { expect, test } from 'vitest'
import { createSlowDiskDetector } from './disk-monitor.ts'

test('several slow commits are reported as a slow disk; a single one is not', () => {
  let now = 0
  const disk = createSlowDiskDetector(() => now)
  const commit = (ms: number, text = 'commit', error?: Error) =>
    disk.hear({ text, from: now, ms, rows: undefined, error }, undefined)
  for (let n = 0; n < 3; n++) commit(500)
  for (let n = 0; n < 20; n++) commit(9000, 'select pg_sleep(9)')
  commit(500, 'commit', new Error('cut'))
  expect(disk.trouble()).toBeUndefined()
  commit(520)
  expect(disk.trouble()).toMatch(/met 500\u00a0ms à enregistrer\u00a0: son disque est lent/)
  now = 61_000
  expect(disk.trouble()).toBeUndefined()
  for (let n = 0; n < 4; n++) commit(300)
  for (let n = 0; n < 29; n++) commit(2)
  expect(disk.trouble()).toBeUndefined()
})
