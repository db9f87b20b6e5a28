import { expect, test } from 'vitest'
import { findScreenAt, isUnknownProductPath } from './routes.ts'

const screen = (path: string) => findScreenAt(path, false)?.path

test('a company in an address is a number; anything else is no screen', () => {
  expect(screen('/dashboard/7')).toBe('/dashboard/:companyId')
  expect(screen('/dashboard/user-management')).toBe('/dashboard/user-management')
  expect(screen('/dashboard/7/user-management')).toBe('/dashboard/:companyId/user-management')
  for (const path of ['/dashboard/truc', '/dashboard/7b', '/dashboard/truc/user-management', '/dashboard/7/truc'])
    expect([path, screen(path), isUnknownProductPath(path)]).toEqual([path, undefined, true])
})

test('what lies under the product is lost there; the rest is the site’s', () => {
  expect(['/projects/1/2/3', '/client-portal/truc', '/admin/truc'].map(isUnknownProductPath)).toEqual([
    true,
    true,
    true,
  ])
  expect(['/truc', '/resources/truc', '/', '/dev/truc'].map(isUnknownProductPath)).toEqual([false, false, false, false])
})
