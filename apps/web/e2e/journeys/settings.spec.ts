import type { Page } from '@playwright/test'
import { confirmAddress, expect, expectAccessibleAndNoOverflow, getToast, openAs, test } from './people.ts'

const primary = (page: Page) =>
  page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--primary').trim().toLowerCase())
const save = (page: Page) => page.getByRole('button', { name: 'Enregistrer l’organisation' }).click()

test('the organisation: a SIREN with spaces is taken, a wrong one is named beside its field', async ({
  page,
  admin,
}) => {
  await page.goto('/settings')
  await expect(page.getByLabel('Nom affiché')).toHaveValue('Les Tuiles Bleues')
  await expect(page.getByLabel('Adresse e-mail de contact')).toHaveValue(admin.email)
  await page.getByLabel('SIREN').fill('12 34')
  await page.getByLabel('Adresse e-mail de contact').fill('personne')
  await save(page)
  const siren = page.getByLabel('SIREN')
  await expect(siren).toHaveAccessibleDescription(/Un SIREN compte neuf chiffres, par exemple 552 081 317\./)
  await expect(siren).toBeFocused()
  await expect(page.getByRole('alert')).toContainText(/2\spoints à corriger/)
  await page
    .getByRole('alert')
    .getByRole('button', { name: /^Adresse e-mail de contact/ })
    .click()
  await expect(page.getByLabel('Adresse e-mail de contact')).toBeFocused()
  await expectAccessibleAndNoOverflow(page)
  await page.getByLabel('Adresse e-mail de contact').fill('bonjour@exemple.fr')
  await siren.fill('552 081 317')
  await page.getByLabel('Nom affiché').fill('Les Tuiles Rouges')
  await page.getByLabel('Adresse', { exact: false }).and(page.locator('textarea')).fill('3 rue du Four\n69001 Lyon')
  await save(page)
  await expect(getToast(page)).toContainText('Organisation enregistrée')
  await expect(page.getByRole('alert')).toHaveCount(0)
  await page.reload()
  await expect(siren).toHaveValue('552081317')
  await expect(page.getByLabel('Nom affiché')).toHaveValue('Les Tuiles Rouges')
  await page.goto('/dashboard')
  await expect(page.getByText('Voici ce qui se passe chez Les Tuiles Rouges.')).toBeVisible()
})

test('two windows: what the first has saved is not lost', async ({ page, admin, browser }) => {
  const second = await openAs(browser, admin)
  for (const window of [page, second]) {
    await window.goto('/dashboard/settings')
    await expect(window.getByLabel('Nom affiché')).toHaveValue('Les Tuiles Bleues')
  }
  await page.getByLabel('Téléphone').fill('04 72 00 00 00')
  await save(page)
  await expect(getToast(page)).toContainText('Organisation enregistrée')
  await page.getByLabel('Téléphone').fill('04 72 11 11 11')
  await save(page)
  await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0)
  await second.getByLabel('Téléphone').fill('04 00 00 00 00')
  await save(second)
  await expect(second.getByRole('main').getByRole('alert')).toContainText(
    'Cet élément a été modifié entre-temps. Rechargez-le, puis reprenez votre modification.',
  )
  await expect(second.getByLabel('Téléphone')).toHaveValue('04 00 00 00 00')
  await expectAccessibleAndNoOverflow(second)
  await second.reload()
  await expect(second.getByLabel('Téléphone')).toHaveValue('04 72 11 11 11')
})

test('the appearance is applied at once and stays', async ({ page, admin, browser }) => {
  await page.goto('/settings')
  expect(await primary(page)).toBe('#007bff')
  await page.getByRole('tab', { name: 'Apparence' }).click()
  await expect(page).toHaveURL('/settings?onglet=apparence')
  await page.getByLabel(/^Rayon des angles/).fill('énorme')
  await page.getByRole('button', { name: 'Enregistrer l’apparence' }).click()
  await expect(page.getByLabel(/^Rayon des angles/)).toHaveAccessibleDescription(/Rayon attendu en rem ou en px/)
  await expectAccessibleAndNoOverflow(page)
  await page.getByLabel(/^Rayon des angles/).fill('0.25rem')
  await page.getByLabel('Couleur principale').first().fill('#8a1c4a')
  await page.getByLabel('Boutons').selectOption('En pilule')
  await page.getByLabel('Nom affiché dans le titre des pages').fill('Soleil du Vercors')
  await page.getByRole('button', { name: 'Enregistrer l’apparence' }).click()
  await expect(getToast(page)).toContainText('Apparence enregistrée')
  await expect.poll(() => primary(page)).toBe('#8a1c4a')
  await expect(page).toHaveTitle('Paramètres — Soleil du Vercors')
  await expectAccessibleAndNoOverflow(page)
  await page.reload()
  await expect.poll(() => primary(page)).toBe('#8a1c4a')
  await expect(page).toHaveTitle('Paramètres — Soleil du Vercors')
  await expect(page.getByLabel('Couleur principale').first()).toHaveValue(/#8a1c4a/i)
  await page.getByRole('button', { name: 'Mon compte' }).click()
  await page.getByRole('menuitem', { name: 'Profil' }).click()
  await expect(page).toHaveTitle('Mon profil — Soleil du Vercors')

  const stale = await openAs(browser, admin)
  await stale.goto('/settings?onglet=apparence')
  await expect(stale.getByLabel('Nom affiché dans le titre des pages')).toHaveValue('Soleil du Vercors')
  await page.goto('/settings?onglet=apparence')
  await page.getByLabel('Couleur principale').first().fill('#006644')
  await page.getByRole('button', { name: 'Enregistrer l’apparence' }).click()
  await expect.poll(() => primary(page)).toBe('#006644')
  await stale.getByRole('button', { name: 'Enregistrer l’apparence' }).click()
  await expect(stale.getByRole('main').getByRole('alert')).toContainText('Cet élément a été modifié entre-temps.')
  expect(await primary(stale)).toBe('#8a1c4a')
})

test('a theme that does not load is told, and the product keeps its own', async ({ page, admin }) => {
  await page.route(`**/api/companies/${admin.companyId}/white-label`, (route) => route.fulfill({ status: 500 }))
  await page.goto('/dashboard')
  await expect(getToast(page)).toContainText('Erreur de chargement du thème')
  await expect(getToast(page)).toContainText(
    /Impossible de charger les personnalisations\s: Erreur 500: Internal Server Error/,
  )
  await expectAccessibleAndNoOverflow(page)
  expect(await primary(page)).toBe('#007bff')
  await expect(page).toHaveTitle('Tableau de bord — Voisol')
  await page.goto('/settings')
  await expect(page.getByText('Le chargement a échoué')).toBeVisible()
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Réessayer' }).click()
  await expect(page.getByLabel('Nom affiché')).toHaveValue('Les Tuiles Bleues')
})

test('a connection: what is wrong stands on its field, the token of a feed is shown once', async ({
  request,
  page,
  admin,
}) => {
  await confirmAddress(request, admin)
  await page.goto('/admin/enterprise-connections')
  await expect(page.getByText('Aucune connexion')).toBeVisible()
  await page.getByRole('button', { name: 'Ajouter une connexion' }).click()
  await page.getByRole('button', { name: /^Dépôt SFTP/ }).click()
  await page.getByRole('button', { name: 'Essayer' }).click()
  await expect(page.getByLabel('Serveur')).toHaveAccessibleDescription(/Un nom de serveur est attendu/)
  await expect(page.getByLabel('Serveur')).toBeFocused()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Ajouter une connexion' }).click()
  await page.getByRole('button', { name: /^Flux décisionnel/ }).click()
  await page.getByLabel('Nom').fill('Tableau du syndic')
  await page.getByRole('button', { name: 'Ajouter la connexion' }).click()
  const token = page.getByRole('dialog').getByText(/^vsl_\w+/)
  await expect(token).toBeVisible()
  await expectAccessibleAndNoOverflow(page)
  await page.getByRole('button', { name: 'J’ai copié le jeton' }).click()
  await page.getByRole('button', { name: 'Ouvrir Tableau du syndic' }).click()
  await expect(page.getByText('Adresses à lire')).toBeVisible()
  await expect(page.getByRole('dialog')).toContainText(/vsl_\S{1,12}…/)
})
