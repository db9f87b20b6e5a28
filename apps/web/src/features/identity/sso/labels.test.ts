import type { SsoConnection } from '@voisol/contract/sso'
import { expect, test } from 'vitest'
import { getDaysUntil, getExpiryTone, getSetupStep, getSsoConnectionState } from './labels.ts'

const bare = {
  kind: 'oidc',
  domains: [{ domain: 'a.fr', record: '', provedAt: null }],
  hasSecret: false,
  certificates: [],
  testedAt: null,
  activatedAt: null,
  enforcedAt: null,
} as unknown as SsoConnection // as much of it as the words look at
const AT = '2026-05-03T10:00:00Z'
const never = { checkedAt: null, lapsedAt: null, believedUntil: null }
const proved = { ...bare, domains: [{ domain: 'a.fr', record: '', provedAt: AT, ...never }] }

test('the step is the first that is not done', () => {
  expect(getSetupStep(bare)).toBe(0)
  expect(getSetupStep(proved)).toBe(1)
  expect(getSetupStep({ ...proved, hasSecret: true })).toBe(2)
  expect(getSetupStep({ ...proved, hasSecret: true, testedAt: AT })).toBe(3)
  expect(getSetupStep({ ...proved, hasSecret: true, testedAt: AT, activatedAt: AT })).toBe(4)
  expect(getSetupStep({ ...proved, hasSecret: true, testedAt: AT, activatedAt: AT, enforcedAt: AT })).toBe(5)
  expect(getSsoConnectionState({ ...bare, activatedAt: AT }).label).toBe('Ouverte')
})

test('what lapses is told by its days', () => {
  const now = Date.parse('2026-05-03T10:00:00Z')
  expect(['2026-06-20', '2026-05-20', '2026-05-01'].map((day) => getExpiryTone(getDaysUntil(day, now)))).toEqual([
    'neutral',
    'warning',
    'danger',
  ])
})
