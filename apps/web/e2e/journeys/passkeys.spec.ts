import type { Page } from '@playwright/test'
import { confirmAddress, expect, expectWhole, register, SECRET, said, signIn, test } from './people.ts'

/** A passkey is bound to a name: the address by number has none. */
const named = (baseURL: string | undefined) => (baseURL ?? '').replace('127.0.0.1', 'localhost')

/** The authenticator of a telephone, that always recognises its owner. */
async function giveAuthenticator(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true } as const
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: { ...options, isUserVerified: true, automaticPresenceSimulation: true },
  })
}

test('a passkey is added in the profile, and opens the account alone', async ({ page, request, baseURL }) => {
  const person = await register(request)
  await confirmAddress(request, person)
  const home = named(baseURL)
  await giveAuthenticator(page)
  await page.goto(`${home}/login?redirect=%2Fsettings%2Fprofile`)
  await signIn(page, person)
  await page.getByRole('button', { name: 'Ajouter une clé d’accès' }).click()
  const dialog = page.getByRole('dialog', { name: 'Ajouter une clé d’accès' })
  await dialog.getByLabel('Nom de la clé').fill('Téléphone')
  await dialog.getByLabel('Mot de passe', { exact: true }).fill(SECRET)
  await dialog.getByRole('button', { name: 'Ajouter la clé d’accès' }).click()
  await expect(said(page)).toContainText('Clé d’accès ajoutée')
  await expect(page.getByText('Gardez ces codes de secours')).toBeVisible()
  await expect(page.getByText('jamais utilisée')).toBeVisible()
  await expectWhole(page)

  await page.evaluate(() => localStorage.clear())
  await page.goto(`${home}/login?redirect=%2Fsettings%2Fprofile`)
  await page.getByRole('button', { name: 'Se connecter avec une clé d’accès' }).click()
  await expect(page.getByText('· utilisée ')).toBeVisible()

  await page.evaluate(() => localStorage.clear())
  await page.goto(`${home}/login?redirect=%2Fsettings%2Fprofile`)
  await signIn(page, person)
  await expect(page.getByRole('heading', { name: 'Vérification en deux étapes' })).toBeVisible()
  await expectWhole(page)
  await page.getByRole('button', { name: 'Confirmer avec ma clé d’accès' }).click()
  await expect(page.getByRole('heading', { name: 'Mon profil' })).toBeVisible()
})
