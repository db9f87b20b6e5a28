import type { Locator, Page } from '@playwright/test'
import { DEMO_EMAILS, DEMO_PASSWORD } from '../fixtures.ts'
import { expect, expectAccessibleAndNoOverflow, openAs, test } from './people.ts'

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

type Due = { buyer: { id: string; name: string }; level: number | null }
type Get = (path: string) => Promise<unknown>

/** Whom other journeys of the demo debit, remind and let pay at the same moment: nobody of them is looked at here. */
async function takenElsewhere(get: Get): Promise<Set<string>> {
  const { items: runs } = (await get('/api/debit-runs')) as { items: { id: string }[] }
  const debits = await Promise.all(
    runs.map(async ({ id }) => (await get(`/api/debit-runs/${id}`)) as { items: { participantId: string }[] }),
  )
  return new Set(debits.flatMap(({ items }) => items.map(({ participantId }) => participantId)))
}

test('a part comes in, then too much, which is undone; a reminder is read and sent', async ({ request, browser }) => {
  const login = await request.post('/api/auth/login', { data: { email: DEMO_EMAILS.admin, password: DEMO_PASSWORD } })
  const { token } = await login.json()
  const headers = { authorization: `Bearer ${token}` }
  const get: Get = async (path) => (await request.get(path, { headers })).json()
  const theirs = await takenElsewhere(get)
  const { pairs } = (await get('/api/payments/choices')) as { pairs: Pair[] }
  const pair = pairs.find(({ open, buyer }) => open > 1000 && !theirs.has(buyer.id))
  if (!pair) throw new Error('somebody of the demo owes more than ten euros')
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
    await expectAccessibleAndNoOverflow(page)
  })
  await record(page, pair, pair.open, (dialog) => expect(dialog.getByText(/^Avance/)).toBeVisible())
  const row = page.getByRole('row').filter({ hasText: '5,07' }).filter({ hasText: 'en avance' }).first()
  await expect(row).toContainText(pair.buyer.name)
  await row.getByRole('button', { name: 'Annuler' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Pourquoi').fill('Saisi deux fois')
  await dialog.getByRole('button', { name: 'Annuler ce paiement' }).click()
  // Debits that came back are « Repris le » as well: what says that this one is over is its own window.
  await expect(dialog).toHaveCount(0)
  expect(await balance()).toBe(before - 507)

  await page.goto('/billing?tab=relances')
  const { items } = (await get('/api/reminders/due')) as { items: Due[] }
  const late = items.find(({ level, buyer }) => level !== null && level < 3 && !theirs.has(buyer.id))
  const asked = page.getByRole('row').filter({ hasText: late?.buyer.name ?? '' })
  await asked.getByRole('button', { name: 'Lire' }).first().click()
  await expect(page.getByRole('dialog').locator('article')).toContainText('€')
  await page.keyboard.press('Escape')
  await asked.getByRole('checkbox').first().check()
  await page.getByRole('button', { name: 'Envoyer' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Envoyer' }).click()
  await expect(page.getByText('1 relance envoyée', { exact: true })).toBeVisible()
  await expectAccessibleAndNoOverflow(page)
})
