import { expect, test } from 'vitest'
import { distributeAmount } from './allocate-line.tsx'

test('a line is poured over what was chosen, in its order, and no document gets more than it is owed', () => {
  const chosen = [
    { invoiceId: 'b', open: 1903 },
    { invoiceId: 'a', open: 2317 },
    { invoiceId: 'c', open: 5 },
  ]
  expect(distributeAmount(3000, chosen)).toEqual({
    parts: [
      { invoiceId: 'b', amount: 1903 },
      { invoiceId: 'a', amount: 1097 },
    ],
    left: 0,
  })
  expect(distributeAmount(5000, chosen).left).toBe(775)
  expect(distributeAmount(5000, [])).toEqual({ parts: [], left: 5000 })
})
