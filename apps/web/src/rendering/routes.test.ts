import { expect, test } from 'vitest'
import { isLost, screenAt } from './routes.ts'

const screen = (path: string) => screenAt(path, false)?.path

test('a company in an address is a number; anything else is no screen', () => {
  expect(screen('/dashboard/7')).toBe('/dashboard/:companyId')
  expect(screen('/dashboard/user-management')).toBe('/dashboard/user-management')
  expect(screen('/dashboard/7/user-management')).toBe('/dashboard/:companyId/user-management')
  for (const path of ['/dashboard/truc', '/dashboard/7b', '/dashboard/truc/user-management', '/dashboard/7/truc'])
    expect([path, screen(path), isLost(path)]).toEqual([path, undefined, true])
})

test('what lies under the product is lost there; the rest is the site’s', () => {
  expect(['/projects/1/2/3', '/client-portal/truc', '/admin/truc'].map(isLost)).toEqual([true, true, true])
  expect(['/truc', '/resources/truc', '/', '/dev/truc'].map(isLost)).toEqual([false, false, false, false])
})
