import { TOTP } from 'otpauth'
import {
  buildBearerHeader,
  confirmAddress,
  expect,
  expectAccessibleAndNoOverflow,
  inviteAndAccept,
  openAs,
  register,
  signIn,
  test,
} from './people.ts'

const codeOf = (secret: string) => new TOTP({ secret }).generate()

test('a token that is over is renewed for all the tabs', async ({ page, context, request }) => {
  const person = await register(request)
  await page.goto('/login?redirect=%2Fsettings%2Fprofile')
  await signIn(page, person)
  await expect(page.getByRole('heading', { name: 'Mon profil' })).toBeVisible()
  const other = await context.newPage()
  await other.goto('/settings/profile')
  await expect(other.getByRole('heading', { name: 'Mon profil' })).toBeVisible()
  await page.evaluate(() => localStorage.setItem('token', 'x'.repeat(43)))
  await Promise.all([page.reload(), other.reload()])
  for (const tab of [page, other]) await expect(tab.getByRole('heading', { name: 'Mon profil' })).toBeVisible()
  const sessions = page.getByText('Cet appareil')
  await expect(sessions).toHaveCount(1)
  expect(await page.evaluate(() => localStorage.getItem('token'))).not.toContain('xxx')
})

test('what a company asks for is done before anything else is shown', async ({ admin, request, browser }) => {
  const headers = buildBearerHeader(admin)
  const colleague = await inviteAndAccept(request, admin, { firstName: 'Paul', lastName: 'Roux', role: 'technician' })
  await confirmAddress(request, admin)
  const proof = { password: admin.password }
  const { secret } = await (await request.post('/api/auth/second-factor', { headers, data: proof })).json()
  await request.post('/api/auth/second-factor/enable', { headers, data: { code: codeOf(secret) } })
  const page = await openAs(browser, colleague)
  await page.goto('/settings/profile')
  await expect(page.getByRole('heading', { name: 'Mon profil' })).toBeVisible()
  const data = { secondFactor: 'office', version: 1 }
  const asked = await request.put(`/api/companies/${admin.companyId}/second-factor`, { headers, data })
  expect(asked.status()).toBe(200)

  // The next call is refused, and the page says why at once.
  await page.getByRole('button', { name: 'Télécharger mes données' }).click()
  await expect(page.getByRole('heading', { name: 'Protégez votre compte' })).toBeVisible()
  await expectAccessibleAndNoOverflow(page)
  await page.getByLabel('Mot de passe', { exact: true }).fill(colleague.password)
  await page.getByRole('button', { name: 'Configurer la double authentification' }).click()
  await page.getByLabel('Code à six chiffres').fill(codeOf((await page.locator('code').innerText()).trim()))
  await page.getByRole('button', { name: 'Activer', exact: true }).click()
  await expect(page.getByText('Gardez ces codes de secours')).toBeVisible()
  await page.getByRole('button', { name: 'J’ai gardé mes codes, continuer' }).click()
  await expect(page.getByRole('heading', { name: 'Mon profil' })).toBeVisible()
})
