import type { PortalBlock } from '@voisol/contract/portal-management'
import { expect, test } from 'vitest'
import { groupsOf } from './home-groups.ts'

const shown = (...keys: PortalBlock['key'][]) => keys.map((key) => ({ key, shown: true }))

test('cards between wide blocks stand together, in the order that was chosen, without what is hidden', () => {
  expect(groupsOf(shown('chart', 'news', 'hours', 'invoice'))).toEqual([['chart'], ['news'], ['hours', 'invoice']])
  expect(groupsOf(shown('contact', 'chart', 'invoice'))).toEqual([['contact'], ['chart'], ['invoice']])
  const hidden = shown('hours', 'news', 'invoice').map((one) => ({ ...one, shown: one.key !== 'news' }))
  expect(groupsOf(hidden)).toEqual([['hours', 'invoice']])
})
