import { expect, test } from 'vitest'
import { pageViewOf } from './analytics.ts'

const measured = { analyticsId: 'VS-1', analyticsUrl: '/mesure' }

test('nothing is sent without an id, an address and consent', () => {
  expect(pageViewOf('/', {}, 'granted')).toBeNull()
  expect(pageViewOf('/', { analyticsId: 'VS-1' }, 'granted')).toBeNull()
  expect(pageViewOf('/', { analyticsUrl: '/mesure' }, 'granted')).toBeNull()
  expect(pageViewOf('/', measured, null)).toBeNull()
  expect(pageViewOf('/', measured, 'refused')).toBeNull()
})

test('with all three, the path alone is sent', () => {
  expect(pageViewOf('/pricing', measured, 'granted')).toEqual({
    url: '/mesure',
    body: { id: 'VS-1', path: '/pricing' },
  })
})
