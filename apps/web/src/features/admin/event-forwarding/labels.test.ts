import type { FlowSubscriber } from '@voisol/contract/flows'
import { expect, test } from 'vitest'
import { isIdleSubscriber } from './labels.ts'

const one: FlowSubscriber = {
  id: 'a',
  label: 'Fin des clés d’API',
  kind: 'notification',
  delivered: 0,
  waiting: 0,
  failed: 0,
  p95Ms: null,
  failingSince: null,
}

test('a subscriber is folded away only when there is nothing to read of it', () => {
  expect(isIdleSubscriber(one)).toBe(true)
  for (const key of ['delivered', 'waiting', 'failed'] as const)
    expect(isIdleSubscriber({ ...one, [key]: 1 })).toBe(false)
  expect(isIdleSubscriber({ ...one, failingSince: '2026-11-17T04:00:00.000Z' })).toBe(false)
})
