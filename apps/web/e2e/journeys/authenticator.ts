import type { Page } from '@playwright/test'
import { expect, getToast, type Person, signIn } from './people.ts'

/** A passkey is bound to a name: the address by number has none. */
export const toNamedAddress = (baseURL: string | undefined) => (baseURL ?? '').replace('127.0.0.1', 'localhost')

/** The authenticator of a telephone, that always recognises its owner. */
async function giveAuthenticator(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true } as const
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: { ...options, isUserVerified: true, automaticPresenceSimulation: true },
  })
}

/** Signs in and adds a passkey in the profile: `home` is an address that has a name. */
export async function signInAndAddPasskey(page: Page, home: string, person: Pick<Person, 'email' | 'password'>) {
  await giveAuthenticator(page)
  await page.goto(`${home}/login?redirect=%2Fsettings%2Fprofile`)
  await signIn(page, person)
  await page.getByRole('button', { name: 'Ajouter une clé d’accès' }).click()
  const dialog = page.getByRole('dialog', { name: 'Ajouter une clé d’accès' })
  await dialog.getByLabel('Nom de la clé').fill('Téléphone')
  await dialog.getByLabel('Mot de passe', { exact: true }).fill(person.password)
  await dialog.getByRole('button', { name: 'Ajouter la clé d’accès' }).click()
  await expect(getToast(page)).toContainText('Clé d’accès ajoutée')
}
