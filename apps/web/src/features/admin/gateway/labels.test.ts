import { expect, test } from 'vitest'
import { formatBytes, formatMilliseconds } from './labels.ts'

test('sizes and durations are short', () => {
  expect([0, 417, 1000, 31_415, 271_828_182].map(formatBytes)).toEqual([
    '0\u00a0o',
    '417\u00a0o',
    '1,0\u00a0ko',
    '31,4\u00a0ko',
    '272\u00a0Mo',
  ])
  expect([null, 1.74, 43.2, 999, 2718].map(formatMilliseconds)).toEqual([
    '—',
    '1,7\u00a0ms',
    '43\u00a0ms',
    '999\u00a0ms',
    '2,7\u00a0s',
  ])
})
