import { expect, test } from 'vitest'
import { isPointLate } from './labels.ts'

const TODAY = '2026-11-15'
const buildPoint = (more: { startsOn?: string; endsOn?: string | null; receivedUntil?: string | null }) => ({
  pointId: 'p',
  prm: '19125759625988',
  label: '',
  direction: 'consumption' as const,
  theirs: null,
  blockedAt: null,
  fault: null,
  accessUntil: null,
  arrivalMinutes: null,
  samples: 0,
  startsOn: '2025-05-01',
  endsOn: null,
  receivedUntil: '2026-11-14',
  ...more,
})

test.each([
  ['yesterday has come', {}, false],
  ['three days are usual', { receivedUntil: '2026-11-12' }, false],
  ['four are late', { receivedUntil: '2026-11-11' }, true],
  ['nothing has ever come', { receivedUntil: null }, true],
  ['one that left has sent its last day', { endsOn: '2026-07-11', receivedUntil: '2026-07-10' }, false],
  ['one that left lacks its last day', { endsOn: '2026-07-11', receivedUntil: '2026-07-09' }, true],
  ['one that has just come in', { startsOn: '2026-11-14', receivedUntil: null }, false],
])('%s', (_, more, late) => {
  expect(isPointLate(buildPoint(more), TODAY)).toBe(late)
})
