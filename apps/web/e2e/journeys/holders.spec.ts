import type { APIRequestContext } from '@playwright/test'
import { expectAccessible, expectNoOverflow } from '../fixtures.ts'
import {
  buildBearerHeader,
  confirmAddress,
  expect,
  getToast,
  openAs,
  type Person,
  readMailedLink,
  TEST_PASSWORD,
  test,
} from './people.ts'

const PHONE = { width: 390, height: 844 }
const address = (name: string) => `${name}-${crypto.randomUUID().slice(0, 8)}@exemple.fr`

async function accept(request: APIRequestContext, email: string, firstName: string) {
  const path = (await readMailedLink(request, email)).replace('/login?invitation=', '/api/auth/invitations/')
  const data = { firstName, lastName: 'Martin', password: TEST_PASSWORD }
  return { token: String((await (await request.post(`${path}/accept`, { data })).json()).token) }
}

/** A participant who has accepted the invitation. */
async function first(request: APIRequestContext, admin: Person) {
  const headers = buildBearerHeader(admin)
  const email = address('zoe')
  const data = { kind: 'person', firstName: 'Zoé', lastName: 'Martin', email }
  const { id } = await (await request.post('/api/participants', { headers, data })).json()
  await confirmAddress(request, admin)
  expect((await request.post(`/api/participants/${id}/invitation`, { headers })).status()).toBe(200)
  return { id, email, ...(await accept(request, email, 'Zoé')) }
}

test('two people of a home have the same space, each by their own account, until one is removed', async ({
  page,
  admin,
  browser,
  request,
}) => {
  const zoe = await first(request, admin)
  const email = address('noe')
  await page.goto(`/participants?participant=${zoe.id}`)
  await expect(page.getByText('Personne d’autre ne lit l’espace de ce participant.')).toBeVisible()
  await page.getByRole('button', { name: 'Ajouter un cotitulaire' }).click()
  const form = page.getByRole('dialog', { name: 'Ajouter un cotitulaire' })
  await form.getByLabel('Prénom').fill('Noé')
  await form.getByLabel('Nom', { exact: true }).fill('Martin')
  await form.getByLabel('Adresse e-mail').fill(zoe.email)
  await form.getByRole('button', { name: 'Ouvrir l’espace' }).click()
  await expect(form.getByLabel('Adresse e-mail')).toHaveAccessibleDescription(/Cette personne lit déjà cet espace/)
  await form.getByLabel('Adresse e-mail').fill(email)
  await form.getByRole('button', { name: 'Ouvrir l’espace' }).click()
  const list = page.getByRole('list', { name: 'Cotitulaires' })
  await expect(list).toContainText(`Noé Martin Invité${email}`)
  await expectAccessible(page)

  // On a telephone, with an account of their own: what the home has to decide is theirs to decide too.
  const noe = await openAs(browser, await accept(request, email, 'Noé'))
  await noe.setViewportSize(PHONE)
  await noe.goto('/client-portal')
  await expect(noe.getByRole('heading', { level: 1, name: 'Bonjour Noé' })).toBeVisible()
  await noe.getByRole('checkbox', { name: /nécessaire pour participer/ }).check()
  await noe.getByRole('button', { name: 'Enregistrer mes choix' }).click()
  await expect(getToast(noe)).toContainText('Vos choix sont enregistrés')
  await expectNoOverflow(noe)
  await expectAccessible(noe)

  // The other finds it decided, and was told who reads along.
  const other = await openAs(browser, zoe)
  await other.setViewportSize(PHONE)
  await other.goto('/client-portal')
  await expect(other.getByRole('checkbox', { name: /facultatif/ }).first()).toBeVisible()
  await expect(other.getByRole('checkbox', { name: /nécessaire pour participer/ })).toHaveCount(0)
  await other.goto('/client-portal/notifications')
  await expect(other.getByText('Un cotitulaire a accès à votre espace')).toBeVisible()

  await page.getByRole('button', { name: 'Retirer l’accès de Noé Martin' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Retirer l’accès' }).click()
  await expect(page.getByText('Personne d’autre ne lit l’espace de ce participant.')).toBeVisible()
  const left = await noe.request.get('/api/consents', {
    headers: { authorization: `Bearer ${await noe.evaluate(() => localStorage.getItem('token'))}` },
  })
  expect((await left.json()).participants).toEqual([])
})
