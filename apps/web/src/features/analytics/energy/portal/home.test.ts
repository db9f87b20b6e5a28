import type { PortalBlock } from '@voisol/contract/portal-management'
import { expect, test } from 'vitest'
import { groupBlocks } from './home.tsx'

const shown = (...keys: PortalBlock['key'][]) => keys.map((key) => ({ key, shown: true }))

test('cards between wide blocks stand together, in the order that was chosen, without what is hidden', () => {
  expect(groupBlocks(shown('chart', 'news', 'hours', 'invoice'))).toEqual([['chart'], ['news'], ['hours', 'invoice']])
  expect(groupBlocks(shown('contact', 'chart', 'invoice'))).toEqual([['contact'], ['chart'], ['invoice']])
  const hidden = shown('hours', 'news', 'invoice').map((one) => ({ ...one, shown: one.key !== 'news' }))
  expect(groupBlocks(hidden)).toEqual([['hours', 'invoice']])
})
