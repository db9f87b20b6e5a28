import type { APIRequestContext, Page } from '@playwright/test'
import { waitUntilIdle, watchErrors } from '../fixtures.ts'
import {
  buildBearerHeader,
  confirmAddress,
  expect,
  expectAccessibleAndNoOverflow,
  getToast,
  openAs,
  type Person,
  readMailedLink,
  TEST_PASSWORD,
  test,
} from './people.ts'

const sidebar = (page: Page) => page.getByRole('complementary', { name: 'Menu' })
const refusal = (page: Page) => page.getByRole('region', { name: 'Accès refusé' })

async function make(request: APIRequestContext, admin: Person, path: string, data: object) {
  const answer = await request.post(path, { headers: buildBearerHeader(admin), data })
  expect(answer.status(), path).toBe(200)
  return (await answer.json()) as { id: string }
}

/** The person that a mail invites, once they have chosen their password. */
async function accept(request: APIRequestContext, email: string) {
  const path = (await readMailedLink(request, email)).replace('/login?invitation=', '/api/auth/invitations/')
  const data = { firstName: 'Nadia', lastName: 'Ferrand', password: TEST_PASSWORD }
  const answer = await request.post(`${path}/accept`, { data })
  expect(answer.status()).toBe(200)
  return { token: String((await answer.json()).token) }
}

async function defineRole(page: Page) {
  await page.getByRole('button', { name: 'Définir un rôle' }).click()
  const dialog = page.getByRole('dialog', { name: 'Définir un rôle' })
  await dialog.getByRole('button', { name: 'Définir le rôle' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Choisissez au moins un droit.')
  await dialog.getByLabel('Nom du rôle').fill('gestionnaire')
  await dialog.getByLabel('Modifier les participants, leurs points et leurs participations').check()
  await expect(dialog.getByLabel('Consulter les participants et leurs points')).toBeChecked()
  await dialog.getByLabel('Consulter les opérations').check()
  await dialog.getByLabel('Consulter les utilisateurs').check()
  await expect(dialog.getByText('4 droits choisis')).toBeVisible()
  await expect(dialog.getByText('Site public')).toHaveCount(0)
  await expectAccessibleAndNoOverflow(page)
  await dialog.getByRole('button', { name: 'Définir le rôle' }).click()
  await expect(dialog.getByLabel('Nom du rôle')).toHaveAccessibleDescription(/Un rôle se nomme déjà/)
  await dialog.getByLabel('Nom du rôle').fill('Accueil')
  await dialog.getByRole('button', { name: 'Définir le rôle' }).click()
  await expect(getToast(page)).toContainText('Rôle défini')
}

async function inviteLimited(page: Page, email: string) {
  await page.getByRole('tab', { name: 'Personnes' }).click()
  await page.getByRole('button', { name: 'Inviter', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Inviter un utilisateur' })
  await dialog.getByLabel('Adresse e-mail').fill(email)
  await dialog.getByLabel('Prénom').fill('Nadia')
  await dialog.getByLabel('Nom', { exact: true }).fill('Ferrand')
  await expect(dialog.getByRole('switch')).toHaveCount(0)
  await dialog.getByLabel('Rôle').selectOption({ label: 'Accueil' })
  await dialog.getByRole('switch', { name: /Limiter à certaines opérations/ }).check()
  await dialog.getByRole('button', { name: 'Envoyer l’invitation' }).click()
  await expect(dialog.getByText('Choisissez au moins une opération.').first()).toBeVisible()
  await dialog.getByLabel('Les Tilleuls').check()
  await expectAccessibleAndNoOverflow(page)
  await dialog.getByRole('button', { name: 'Envoyer l’invitation' }).click()
  await expect(dialog).toHaveCount(0)
  const row = page.getByRole('row').filter({ hasText: email })
  await expect(row).toContainText('Accueil')
  await expect(row).toContainText(/limité à 1\sopération/)
}

test('a role is defined, a person limited to one operation has it and sees no more', async ({
  page,
  admin,
  browser,
  request,
}) => {
  await make(request, admin, '/api/acc-operations', { name: 'Les Tilleuls' })
  await make(request, admin, '/api/acc-operations', { name: 'Les Acacias' })
  await page.goto('/users?onglet=roles')
  await expect(page.getByRole('region', { name: 'Rôles de Voisol' }).getByRole('listitem')).toHaveCount(6)
  const own = page.getByRole('region', { name: 'Rôles de votre organisation' })
  await expect(own).toContainText('Aucun pour l’instant.')
  await defineRole(page)
  await expect(own.getByRole('listitem')).toHaveText([/Accueil.*4\sdroits.*0\spersonne/])
  const email = `nadia-${admin.email}`
  await confirmAddress(page.request, admin)
  await inviteLimited(page, email)

  const nadia = await openAs(browser, await accept(request, email))
  const errors = watchErrors(nadia)
  await nadia.goto('/dashboard')
  await expect(nadia.getByRole('heading', { level: 1 })).toHaveText('Tableau de bord')
  await expect(refusal(nadia)).toContainText('Consulter les tableaux de bord et les énergies')
  await expect(refusal(nadia)).toContainText('«\u00a0Accueil\u00a0»')
  await expectAccessibleAndNoOverflow(nadia)
  await nadia.getByRole('main').getByRole('link', { name: 'Opérations' }).click()
  await expect(nadia.getByRole('table', { name: 'Opérations' }).locator('tbody tr')).toHaveText([/Les Tilleuls/])
  await expect(nadia.getByRole('link', { name: 'Nouvelle opération' })).toHaveCount(0)
  await expect(sidebar(nadia).getByRole('link', { name: 'Utilisateurs' })).toHaveCount(0)
  await nadia.goto('/users')
  await expect(nadia).toHaveURL('/users')
  await expect(refusal(nadia)).toContainText('Votre accès est limité à certaines opérations.')
  await expect(nadia.getByRole('button', { name: 'Inviter' })).toHaveCount(0)
  await waitUntilIdle(nadia)
  expect(errors).toEqual([])

  await page.getByRole('tab', { name: 'Rôles' }).click()
  await page.getByRole('button', { name: 'Actions pour Accueil' }).click()
  await page.getByRole('menuitem', { name: 'Supprimer' }).click()
  const confirm = page.getByRole('alertdialog')
  await confirm.getByRole('button', { name: 'Supprimer le rôle' }).click()
  await expect(confirm).toContainText('est encore le rôle de 1 personne')
})

test('whoever manages and also lives there goes from one space to the other, and so do their tabs', async ({
  page,
  admin,
  request,
}) => {
  const { id } = await make(request, admin, '/api/participants', {
    kind: 'person',
    name: 'Élodie Garnier',
    firstName: 'Élodie',
    lastName: 'Garnier',
    email: admin.email,
  })
  await make(request, admin, `/api/participants/${id}/invitation`, {})
  const errors = watchErrors(page)
  await page.goto('/settings')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Paramètres')
  const other = await page.context().newPage()
  await other.goto('/users')
  await expect(other.getByRole('heading', { level: 1 })).toHaveText('Utilisateurs')

  await page.getByRole('button', { name: 'Mon compte' }).click()
  await expect(page.getByRole('menu')).toContainText('Administrateur')
  await expectAccessibleAndNoOverflow(page)
  await page.getByRole('menuitem', { name: 'Espace client' }).click()
  await expect(page).toHaveURL('/client-portal')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Bonjour Élodie')
  await expect(other).toHaveURL('/client-portal')
  await page.goto('/users')
  await expect(page).toHaveURL('/client-portal')
  await waitUntilIdle(page)

  await page.getByRole('button', { name: 'Mon compte' }).click()
  await page.getByRole('menuitem', { name: 'Back-office' }).click()
  await expect(page).toHaveURL('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Tableau de bord')
  await page.goto('/client-portal/consumption')
  await expect(page).toHaveURL('/dashboard')
  await waitUntilIdle(page)
  expect(errors).toEqual([])
})
