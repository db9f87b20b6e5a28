import { expect, test } from 'vitest'
import { findLastLogError } from './embedded-cluster.ts'
import { isTransientStartError } from './embedded-postmaster.ts'

const LATE = '2026-11-17 02:24:11.305 UTC [812] FATAL:  lock file "postmaster.pid" already exists'
const QUICK = [
  '2026-11-17 02:24:11.371 UTC [809] FATAL:  the database system is starting up',
  '2026-11-17 02:24:11.402 UTC [810] FATAL:  role "voisol_owner" does not exist',
]

test('the second of two servers looks again, whatever the first logged afterwards', () => {
  expect(
    [[LATE], [LATE, ...QUICK], [...QUICK, LATE], QUICK].map((lines) => isTransientStartError(`${lines.join('\n')}\n`)),
  ).toEqual([true, true, true, false])
})

test('a failed start reports the last error', () => {
  expect(findLastLogError(`${QUICK.join('\n')}\n... LOG:  shut down\n`)).toBe('role "voisol_owner" does not exist')
})

test('the answer to a client that connected too early is not the cause', () => {
  const panic = '2026-11-17 02:24:11.390 UTC [811] PANIC:  could not locate a valid checkpoint record at 0/1A2B3C8'
  const told = 'could not locate a valid checkpoint record at 0/1A2B3C8'
  expect(
    [
      [panic, QUICK[0]],
      [QUICK[0], panic],
    ].map((lines) => findLastLogError(lines.join('\n'))),
  ).toEqual([told, told])
})
