import { expect, test } from 'vitest'
import { isRefusal } from './frame.ts'

const holding = (contentType: string) => ({ contentDocument: { contentType } as Document })

test('a refusal is told from a paper, and from what nobody may look into', () => {
  expect(isRefusal(holding('application/problem+json'))).toBe(true)
  expect(isRefusal(holding('application/pdf'))).toBe(false)
  expect(isRefusal({ contentDocument: null })).toBe(false)
})
