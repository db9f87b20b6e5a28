import { signInAndAddPasskey, toNamedAddress } from './authenticator.ts'
import { confirmAddress, expect, expectAccessibleAndNoOverflow, register, signIn, test } from './people.ts'

test('a passkey is added in the profile, opens the account alone, and confirms in place of the password', async ({
  page,
  request,
  baseURL,
}) => {
  const person = await register(request)
  await confirmAddress(request, person)
  const home = toNamedAddress(baseURL)
  await signInAndAddPasskey(page, home, person)
  await expect(page.getByText('Gardez ces codes de secours')).toBeVisible()
  await expect(page.getByText('jamais utilisée')).toBeVisible()
  await expectAccessibleAndNoOverflow(page)

  await page.evaluate(() => localStorage.clear())
  await page.goto(`${home}/login?redirect=%2Fsettings%2Fprofile`)
  await page.getByRole('button', { name: 'Se connecter avec une clé d’accès' }).click()
  await expect(page.getByText('· utilisée ')).toBeVisible()

  await page.evaluate(() => localStorage.clear())
  await page.goto(`${home}/login?redirect=%2Fsettings%2Fprofile`)
  await signIn(page, person)
  await expect(page.getByRole('heading', { name: 'Vérification en deux étapes' })).toBeVisible()
  await expectAccessibleAndNoOverflow(page)
  await page.getByRole('button', { name: 'Confirmer avec ma clé d’accès' }).click()
  await expect(page.getByRole('heading', { name: 'Mon profil' })).toBeVisible()

  await page.getByRole('button', { name: 'Confirmer avec ma clé d’accès' }).click()
  await expect(page.getByLabel('Code à six chiffres')).toBeVisible()
})
