import { DEMO_EMAILS, DEMO_PASSWORD } from '../fixtures.ts'
import { expect, expectAccessibleAndNoOverflow, test } from './people.ts'

/** The first unpaid invoice of the demo's client, once its seller can be paid online. */
async function signIn(request: import('@playwright/test').APIRequestContext, email: string): Promise<string> {
  const answer = await request.post('/api/auth/login', { data: { email, password: DEMO_PASSWORD } })
  return (await answer.json()).token
}
type Owed = { state: string; open: number }
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

test('a participant pays on a telephone: a page left alone, a card refused, a card taken; the office sees it', async ({
  page,
  request,
}) => {
  const [client, admin] = [await signIn(request, DEMO_EMAILS.client), await signIn(request, DEMO_EMAILS.admin)]
  const { items } = await (await request.get('/api/invoices?size=100', { headers: bearer(client) })).json()
  const owed = items.find(({ state, open }: Owed) => (state === 'due' || state === 'overdue') && open >= 50)
  expect(owed, 'the demo leaves its client something to pay').toBeTruthy()
  // The stand-in starts beside the server, which does not wait for it.
  await expect
    .poll(async () => (await request.post('/api/online/trials', { data: { method: 'card' } })).status(), {
      timeout: 30_000,
    })
    .toBe(200)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.addInitScript((token) => localStorage.setItem('token', token), client)
  await page.goto(`/client-portal/invoices?facture=${owed.id}`)
  await page.getByRole('link', { name: 'Payer en ligne' }).click()
  await expect(page.getByRole('heading', { name: 'Payer ma facture' })).toBeVisible()
  await expectAccessibleAndNoOverflow(page)
  await page.getByRole('button', { name: /^Payer / }).click()
  await page.getByRole('link', { name: 'Revenir sans payer' }).click()
  await expect(page.getByText('Vous êtes revenu sans payer')).toBeVisible()
  await page.getByRole('link', { name: 'Reprendre ce paiement' }).click()
  const card = page.getByLabel('Numéro de la carte')
  await card.fill('4000 0000 0000 0002')
  await page.getByLabel('Expiration').fill('12/34')
  await page.getByLabel('Cryptogramme').fill('123')
  await page.getByRole('button', { name: 'Payer' }).click()
  await expect(page.getByRole('alert')).toContainText('refusée')
  await card.fill('4242 4242 4242 4242')
  await page.getByLabel('Expiration').fill('12/34')
  await page.getByLabel('Cryptogramme').fill('123')
  await page.getByRole('button', { name: 'Payer' }).click()
  await expect(page.getByRole('heading', { name: 'Paiement reçu' })).toBeVisible()
  const seen = await (await request.get(`/api/invoices/${owed.id}`, { headers: bearer(admin) })).json()
  expect([seen.open, seen.state]).toEqual([0, 'settled'])
})
