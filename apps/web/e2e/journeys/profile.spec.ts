import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { TOTP } from 'otpauth'
import {
  confirmAddress,
  expect,
  expectAccessibleAndNoOverflow,
  getToast,
  inviteAndAccept,
  openAs,
  signIn,
  signInElsewhere,
  signOut,
  TEST_PASSWORD,
  test,
} from './people.ts'

const card = (page: Page, title: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: title, exact: true }) })

test('names change everywhere at once, and a missing one is asked for', async ({ page, admin, browser }) => {
  await page.goto('/settings/profile')
  await expect(page.getByText(`Adresse de connexion\u00a0: ${admin.email}`)).toBeVisible()
  const identity = card(page, 'Coordonnées')
  await identity.getByLabel('Prénom').fill('')
  await identity.getByRole('button', { name: 'Enregistrer mes coordonnées' }).click()
  await expect(identity.getByLabel('Prénom')).toHaveAttribute('aria-invalid', 'true')
  await expect(identity.getByLabel('Prénom')).toBeFocused()
  await expectAccessibleAndNoOverflow(page)
  await identity.getByLabel('Prénom').fill('Maëlle')
  await identity.getByLabel('Nom', { exact: true }).fill('Kerviel')
  await identity.getByLabel('Téléphone').fill('06 12 34 56 78')
  await page.keyboard.press('Enter')
  await expect(getToast(page)).toContainText('Profil enregistré')
  await expect(page.getByRole('complementary', { name: 'Menu' })).toContainText('Maëlle Kerviel')
  await expect(page.getByRole('button', { name: 'Mon compte' })).toContainText('MK')
  await page.reload()
  await expect(identity.getByLabel('Téléphone')).toHaveValue('06 12 34 56 78')

  const other = await openAs(browser, admin)
  await other.goto('/settings/profile')
  await expect(card(other, 'Coordonnées').getByLabel('Prénom')).toHaveValue('Maëlle')
  await identity.getByLabel('Prénom').fill('Nolwenn')
  await identity.getByRole('button', { name: 'Enregistrer mes coordonnées' }).click()
  await expect(getToast(page)).toContainText('Profil enregistré')
  await card(other, 'Coordonnées').getByLabel('Prénom').fill('Annaïck')
  await card(other, 'Coordonnées').getByRole('button', { name: 'Enregistrer mes coordonnées' }).click()
  await expect(other.getByRole('alert')).toContainText('Cet élément a été modifié entre-temps.')
})

test('the password: the present one is asked for, the others go out', async ({ page, admin, browser, request }) => {
  const elsewhere = await openAs(browser, { token: await signInElsewhere(request, admin, 'Mozilla/5.0 Firefox/140.0') })
  await elsewhere.goto('/dashboard')
  await expect(elsewhere).toHaveURL('/dashboard')
  await page.goto('/settings/profile')
  const form = card(page, 'Mot de passe')
  const change = async (current: string, next: string) => {
    await form.getByLabel('Mot de passe actuel').fill(current)
    await form.getByLabel('Nouveau mot de passe').fill(next)
    await form.getByRole('button', { name: 'Changer le mot de passe' }).click()
  }
  await change('ce n’est pas celui-là', 'le matin sur la colline')
  const current = form.getByLabel('Mot de passe actuel')
  await expect(current).toHaveAccessibleDescription('Le mot de passe actuel est incorrect.')
  await expect(page).toHaveURL('/settings/profile')
  await expectAccessibleAndNoOverflow(page)
  await change(TEST_PASSWORD, 'motdepasse1234')
  await expect(form.getByLabel('Nouveau mot de passe')).toHaveAttribute('aria-invalid', 'true')
  await change(TEST_PASSWORD, TEST_PASSWORD)
  await expect(form.getByLabel('Nouveau mot de passe')).toHaveAccessibleDescription(/différent de l’actuel/)
  await change(TEST_PASSWORD, 'le matin sur la colline')
  await expect(getToast(page)).toContainText('Mot de passe changé')
  await expect(current).toHaveValue('')
  await expect(form.getByLabel('Nouveau mot de passe')).toHaveValue('')
  await expect(card(page, 'Sessions ouvertes').getByRole('listitem')).toHaveCount(1)

  await elsewhere.getByRole('button', { name: 'Gestion' }).click()
  await elsewhere.getByRole('link', { name: 'Utilisateurs' }).click()
  await expect(elsewhere).toHaveURL('/login?redirect=%2Fusers')
  await signIn(elsewhere, { ...admin, password: 'le matin sur la colline' })
  await expect(elsewhere).toHaveURL('/users')
})

const codeFor = (secret: string, step = 0) => new TOTP({ secret }).generate({ timestamp: Date.now() + step * 30_000 })

test('the second factor, from its secret to its end', async ({ page, admin, request }) => {
  await page.clock.install()
  await page.goto('/settings/profile')
  const section = card(page, 'Double authentification')
  await expect(section.getByText('Confirmez d’abord votre adresse')).toBeVisible()
  await confirmAddress(request, admin)
  await section.getByRole('button', { name: 'J’ai confirmé mon adresse' }).click()
  const configure = section.getByRole('button', { name: 'Configurer la double authentification' })
  await section.getByLabel('Mot de passe', { exact: true }).fill('pas celui-là')
  await configure.click()
  await expect(section.getByLabel('Mot de passe', { exact: true })).toHaveAccessibleDescription(/incorrect/)
  await section.getByLabel('Mot de passe', { exact: true }).fill(TEST_PASSWORD)
  await configure.click()
  await expect(section.getByRole('img', { name: /Code QR/ })).toBeVisible()
  const secret = (await section.locator('code').textContent()) ?? ''
  expect(secret).toMatch(/^[A-Z2-7]{16,}$/)
  await section.getByLabel('Code à six chiffres').fill('12')
  await section.getByRole('button', { name: 'Activer' }).click()
  await expect(section.getByLabel('Code à six chiffres')).toHaveAccessibleDescription(/Le code compte six chiffres/)
  await expectAccessibleAndNoOverflow(page)
  await section.getByLabel('Code à six chiffres').fill(codeFor(secret, -1))
  await page.keyboard.press('Enter')
  await expect(section.getByText('Activée', { exact: true })).toBeVisible()
  const codes = await section.getByRole('listitem').allTextContents()
  expect(codes.length).toBeGreaterThanOrEqual(8)
  await expectAccessibleAndNoOverflow(page)
  await page.reload()
  await expect(section.getByText('Activée', { exact: true })).toBeVisible()
  await expect(section.getByRole('listitem')).toHaveCount(0)

  await signOut(page)
  await signIn(page, admin)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Vérification en deux étapes')
  await expect(page.getByLabel('Code à six chiffres')).toBeFocused()
  await expectAccessibleAndNoOverflow(page)
  await page.getByLabel('Code à six chiffres').fill(codeFor(secret))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/dashboard')

  await signOut(page)
  await signIn(page, admin)
  await page.getByRole('button', { name: 'Utiliser un code de secours' }).click()
  await page.getByLabel('Code de secours').fill(codes[0] ?? '')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/dashboard')

  await page.goto('/settings/profile')
  await section.getByRole('button', { name: 'Renouveler les codes de secours' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Mot de passe', { exact: true }).fill(TEST_PASSWORD)
  await dialog.getByRole('button', { name: 'Renouveler les codes' }).click()
  await expect(section.getByRole('listitem')).toHaveCount(codes.length)
  await expect(section).not.toContainText(codes[1] ?? 'one code')

  await section.getByRole('button', { name: 'Désactiver' }).click()
  await dialog.getByLabel('Mot de passe', { exact: true }).fill('pas celui-là')
  await dialog.getByRole('button', { name: 'Désactiver' }).click()
  await expect(dialog.getByLabel('Mot de passe', { exact: true })).toHaveAccessibleDescription(/incorrect/)
  await expectAccessibleAndNoOverflow(page)
  await dialog.getByLabel('Mot de passe', { exact: true }).fill(TEST_PASSWORD)
  await dialog.getByRole('button', { name: 'Désactiver' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(section.getByText('Non activée', { exact: true })).toBeVisible()
  await expect(section.getByRole('button', { name: 'Configurer la double authentification' })).toBeVisible()
})

test('a client closes another session and takes their data away', async ({ admin, browser, request }) => {
  const member = await inviteAndAccept(request, admin, { firstName: 'Ousmane', lastName: 'Ba', role: 'client' })
  const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1'
  const elsewhere = await openAs(browser, { token: await signInElsewhere(request, member, phone) })
  await elsewhere.goto('/client-portal')
  await expect(elsewhere.getByRole('heading', { level: 1 })).toHaveText('Bonjour Ousmane')
  const mine = await openAs(browser, member)
  await mine.goto('/client-portal/profile')
  const sessions = card(mine, 'Sessions ouvertes')
  await expect(sessions.getByRole('listitem')).toHaveCount(2)
  await expect(sessions.getByRole('listitem').filter({ hasText: 'Cet appareil' })).toHaveCount(1)
  await expectAccessibleAndNoOverflow(mine)
  await sessions
    .getByRole('listitem')
    .filter({ hasText: 'Safari sur iOS' })
    .getByRole('button', { name: 'Fermer' })
    .click()
  await expect(getToast(mine)).toContainText('Session fermée')
  await expect(sessions.getByRole('listitem')).toHaveCount(1)
  await elsewhere.getByRole('link', { name: 'Factures', exact: true }).click()
  await expect(elsewhere).toHaveURL('/login?redirect=%2Fclient-portal%2Finvoices')

  const [file] = await Promise.all([
    mine.waitForEvent('download'),
    mine.getByRole('button', { name: 'Télécharger mes données' }).click(),
  ])
  expect(file.suggestedFilename()).toMatch(/^mes-donnees-voisol-.*\.zip$/)
  const listed = (await readFile(await file.path())).toString('latin1')
  for (const name of ['LISEZ-MOI.txt', 'mes-donnees.json', 'factures.csv', 'consentements.csv'])
    expect(listed).toContain(name)
})

test('a client closes their account, and reads before what goes on and what is kept', async ({
  admin,
  browser,
  request,
}) => {
  const member = await inviteAndAccept(request, admin, { firstName: 'Nadège', lastName: 'Roy', role: 'client' })
  const page = await openAs(browser, member)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/client-portal/profile')
  await page.getByRole('button', { name: 'Voir ce que cela entraîne' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Vous ne pouvez plus ouvrir votre espace')
  await expect(dialog).toContainText('dix ans')
  await expectAccessibleAndNoOverflow(page)
  await dialog.getByLabel('Mot de passe', { exact: true }).fill('pas celui-là')
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Mot de passe', { exact: true })).toHaveAccessibleDescription(/incorrect/)
  await dialog.getByLabel('Mot de passe', { exact: true }).fill(TEST_PASSWORD)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/')
  await page.goto('/client-portal')
  await signIn(page, member)
  await expect(page.getByRole('alert')).toBeVisible()
})
