import { expect, test } from 'vitest'
import { testUser } from '../../lib/fake-browser.ts'
import { explainMissingPermission } from './permission-check.tsx'

const accountant = { ...testUser, roleName: 'Comptable' }
const limited = { ...testUser, roleName: 'Gestionnaire', operationIds: ['3f0e5c0e-4a53-4c8f-9d4e-0f3c5a6b7c8d'] }

test('the role that lacks it, and who can give it', () => {
  const { why, whom } = explainMissingPermission('users.read', accountant)
  expect(why).toBe('Votre rôle, «\u00a0Comptable\u00a0», ne comprend pas le droit')
  expect(whom).toBe('Demandez-le à un administrateur de votre organisation.')
})

test('a limit to some operations is the reason for what concerns the whole company, and for nothing else', () => {
  expect(explainMissingPermission('users.read', limited).why).toMatch(
    /^Votre accès est limité à certaines opérations\./,
  )
  expect(explainMissingPermission('energy.read', limited).why).toMatch(/^Votre rôle, «\u00a0Gestionnaire\u00a0»/)
})

test('no administrator can give what keeps the site', () => {
  expect(explainMissingPermission('seo.read', limited).whom).toMatch(/l’organisation qui tient le site public\.$/)
})
