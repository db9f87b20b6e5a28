import { expect, test } from 'vitest'
import { isRefusal } from './preview.tsx'

const buildFrame = (contentType: string) => ({ contentDocument: { contentType } as Document })

test('a refusal is told from a paper, and from what nobody may look into', () => {
  expect(isRefusal(buildFrame('application/problem+json'))).toBe(true)
  expect(isRefusal(buildFrame('application/pdf'))).toBe(false)
  expect(isRefusal({ contentDocument: null })).toBe(false)
})
