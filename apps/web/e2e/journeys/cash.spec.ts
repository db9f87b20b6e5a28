import type { Locator, Page } from '@playwright/test'
import { EMAILS, PASSWORD } from '../fixtures.ts'
import { expect, expectWhole, openAs, test } from './people.ts'

const euros = (cents: number) => (cents / 100).toFixed(2).replace('.', ',')
type Pair = { seller: { id: string; name: string }; buyer: { id: string; name: string }; open: number }

async function record(page: Page, { seller, buyer }: Pair, cents: number, look: (dialog: Locator) => Promise<void>) {
  await page.getByRole('button', { name: 'Enregistrer un paiement' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Qui a payé, et à quel vendeur').selectOption(`${seller.id} ${buyer.id}`)
  await dialog.getByLabel('Montant (€)').fill(euros(cents))
  await look(dialog)
  await dialog.getByRole('button', { name: 'Enregistrer le paiement' }).click()
  await expect(dialog).toHaveCount(0)
}

test('a part comes in, then too much, which is undone; a reminder is read and sent', async ({ request, browser }) => {
  const login = await request.post('/api/auth/login', { data: { email: EMAILS.admin, password: PASSWORD } })
  const { token } = await login.json()
  const headers = { authorization: `Bearer ${token}` }
  const { pairs } = await (await request.get('/api/payments/choices', { headers })).json()
  const pair: Pair = pairs.find(({ open }: Pair) => open > 1000)
  const balance = async (): Promise<number> => {
    const { accounts } = await (await request.get(`/api/payments/accounts/${pair.buyer.id}`, { headers })).json()
    return accounts.find(({ seller }: Pair) => seller.id === pair.seller.id).balance
  }
  const before = await balance()
  const page = await openAs(browser, { token })
  await page.goto('/billing?tab=encaissements')
  await record(page, pair, 507, async (dialog) => {
    await expect(dialog.getByLabel('Ce que ce paiement règle')).toContainText('5,07')
    await expect(dialog.getByText(/^Avance/)).toHaveCount(0)
    await expectWhole(page)
  })
  await record(page, pair, pair.open, (dialog) => expect(dialog.getByText(/^Avance/)).toBeVisible())
  const row = page.getByRole('row').filter({ hasText: '5,07' }).filter({ hasText: 'en avance' }).first()
  await expect(row).toContainText(pair.buyer.name)
  await row.getByRole('button', { name: 'Annuler' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Pourquoi').fill('Saisi deux fois')
  await dialog.getByRole('button', { name: 'Annuler ce paiement' }).click()
  await expect(page.getByText(/^Repris le/).first()).toBeVisible()
  expect(await balance()).toBe(before - 507)

  await page.goto('/billing?tab=relances')
  await page.getByRole('button', { name: 'Lire' }).first().click()
  await expect(page.getByRole('dialog').locator('article')).toContainText('€')
  await page.keyboard.press('Escape')
  await page
    .getByRole('checkbox', { name: /^Sélectionner / })
    .first()
    .check()
  await page.getByRole('button', { name: 'Envoyer' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Envoyer' }).click()
  await expect(page.getByText('1 relance envoyée', { exact: true })).toBeVisible()
  await expectWhole(page)
})
