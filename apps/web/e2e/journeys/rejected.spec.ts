import type { APIRequestContext, Page } from '@playwright/test'
import { DEMO_EMAILS, DEMO_PASSWORD } from '../fixtures.ts'
import { type BankStatementEntry, bankStatement, buildReturnXml, buildTransferXml } from './bank-files.ts'
import {
  expect,
  expectAccessibleAndNoOverflow,
  openAs,
  readMailedLink,
  signInElsewhere,
  TEST_PASSWORD,
  test,
} from './people.ts'

const DAY = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Paris' }).format(new Date())
/** Below it nobody is reminded. */
const MIN_CENTS = 500

type Api = <T>(path: string, data?: unknown) => Promise<T>
type Items<T> = { items: T[] }
type Account = { id: string; kind: string; ownerId: string; name: string }
type Debit = {
  state: string
  amount: number
  participant: string
  participantId: string
  endToEndId: string
  invoices: { invoiceId: string }[]
}
type Who = { kind: string; email: string; portal: { status: string } }
type Statement = { accountId: string; to: string; closing: number }
type Paid = { net: number }

function apiOf(request: APIRequestContext, token: string): Api {
  const headers = { authorization: `Bearer ${token}` }
  return async (path, data) => {
    const answer =
      data === undefined ? await request.get(path, { headers }) : await request.post(path, { headers, data })
    expect([path, answer.status()]).toEqual([path, 200])
    return answer.json()
  }
}

/** The smallest debit of the demo that was collected, for other journeys take up what is owed most; of somebody without an account. */
async function collected(api: Api) {
  const [run] = (await api<Items<{ id: string; accountId: string }>>('/api/debit-runs')).items
  const { items } = await api<Items<Debit>>(`/api/debit-runs/${run?.id}`)
  const all = items.filter(({ state, amount }) => state === 'collected' && amount >= MIN_CENTS)
  for (const debit of all.sort((a, b) => a.amount - b.amount)) {
    const who = await api<Who>(`/api/participants/${debit.participantId}`)
    if (run && who.kind === 'person' && who.portal.status === 'none')
      return { debit, email: who.email, accountId: run.accountId, invoiceId: debit.invoices[0]?.invoiceId ?? '' }
  }
  throw new Error('the demo has collected a debit of somebody without an account')
}

/** The next statement of an account, from where the last one ended, given to the desk. */
async function imports(
  page: Page,
  api: Api,
  about: { accountId: string; iban: string },
  entries: BankStatementEntry[],
) {
  const { items } = await api<Items<Statement>>('/api/bank-statements')
  // Of those that end on one day, the newest comes first.
  const own = items.filter(({ accountId }) => accountId === about.accountId).sort((a, b) => b.to.localeCompare(a.to))
  const buffer = bankStatement({ iban: about.iban, opening: own[0]?.closing ?? 0, on: DAY, entries })
  await page.goto('/billing?tab=banque')
  await page.getByLabel('Compte du relevé').selectOption(about.accountId)
  await page.locator('input[type=file]').setInputFiles({ name: 'releve.xml', mimeType: 'application/xml', buffer })
}

/** The account that a seller's invoices name. */
const ibanOf = async (api: Api, invoiceId: string) =>
  (await api<{ snapshot: { seller: { iban: string } } }>(`/api/invoices/${invoiceId}`)).snapshot.seller.iban

/** Whoever was debited, with an account of the portal. */
async function signsUp(request: APIRequestContext, api: Api, participantId: string, email: string) {
  await api(`/api/participants/${participantId}/invitation`, {})
  const path = (await readMailedLink(request, email)).replace('/login?invitation=', '/api/auth/invitations/')
  const data = { firstName: 'Camille', lastName: 'Noël', password: TEST_PASSWORD }
  return { token: String((await (await request.post(`${path}/accept`, { data })).json()).token) }
}

/** Reminded, she opens her invoices on a telephone and pays the one that came back. */
async function paysByCard(portal: Page, invoiceId: string) {
  await portal.setViewportSize({ width: 390, height: 844 })
  await portal.goto(`/client-portal/invoices?facture=${invoiceId}`)
  await portal.getByRole('link', { name: 'Payer en ligne' }).click()
  await expectAccessibleAndNoOverflow(portal)
  await portal.getByRole('button', { name: /^Payer / }).click()
  await portal.getByLabel('Numéro de la carte').fill('4242 4242 4242 4242')
  await portal.getByLabel('Expiration').fill('12/34')
  await portal.getByLabel('Cryptogramme').fill('123')
  await portal.getByRole('button', { name: 'Payer' }).click()
  await expect(portal.getByRole('heading', { name: 'Paiement reçu' })).toBeVisible()
}

test('a debit comes back, is reminded of, paid by card, and the provider’s payout is matched', async ({
  request,
  browser,
}) => {
  test.slow() // from the bank and back to it
  const token = await signInElsewhere(request, { email: DEMO_EMAILS.admin, password: DEMO_PASSWORD })
  const api = apiOf(request, token)
  const { debit, email, accountId, invoiceId } = await collected(api)
  const client = await signsUp(request, api, debit.participantId, email)
  const page = await openAs(browser, { token })

  // Weeks later: the account was closed.
  const iban = await ibanOf(api, invoiceId)
  await imports(page, api, { accountId, iban }, [{ cents: -debit.amount, details: buildReturnXml(debit, 'AC04') }])
  await expect(page.getByText('1 mouvement lu, 1 rejet.')).toBeVisible()
  await page.goto('/billing?tab=prelevements')
  await page
    .getByRole('button', { name: /^Ouvrir le prélèvement/ })
    .first()
    .click()
  const run = page.getByRole('dialog').getByRole('listitem').filter({ hasText: debit.participant })
  await expect(run).toContainText('Rejeté')
  await expect(run).toContainText('compte clôturé. Le mandat est arrêté')

  await page.goto('/billing?tab=relances')
  const row = page.getByRole('row').filter({ hasText: debit.participant }).filter({ hasText: 'Rappel' })
  await row.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Envoyer' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Envoyer' }).click()
  await expect(page.getByText('1 relance envoyée', { exact: true })).toBeVisible()
  await readMailedLink(request, email, /client-portal\/invoices/)

  const portal = await openAs(browser, client)
  await paysByCard(portal, invoiceId)

  await page.goto(`/invoice/${invoiceId}`)
  await expect(page.getByText('Soldée').first()).toBeVisible()
  await expect(page.getByText('Carte').first()).toBeVisible()
  await page.goto('/billing?tab=relances')
  await expect(page.getByRole('heading', { name: 'Relances envoyées' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Comptes en retard' }).getByText(debit.participant)).toHaveCount(0)

  await settlesPayout(page, api)
})

/** The provider pays out all that it holds, less what it keeps; the line is recognised and accepted. */
async function settlesPayout(page: Page, api: Api) {
  const accounts = (await api<Items<Account>>('/api/bank-accounts')).items
  const online = accounts.find(({ kind }) => kind === 'online')
  const bank = accounts.find(({ kind, ownerId }) => kind === 'bank' && ownerId === online?.ownerId)
  if (!online || !bank) throw new Error('the demo is paid online')
  const [document] = (await api<Items<{ id: string }>>(`/api/invoices?size=1&sellerId=${bank.ownerId}`)).items
  const payments = (await api<Items<Paid>>('/api/online/payments?size=100')).items
  const held = payments.reduce((sum, { net }) => sum + net, 0)
  const iban = await ibanOf(api, document?.id ?? '')
  await imports(page, api, { accountId: bank.id, iban }, [
    { cents: held - 37, details: buildTransferXml('STRIPE PAYOUT', 'STRIPE') },
  ])
  await expect(page.getByText(/^1\smouvement lu/)).toBeVisible()
  const line = page.getByRole('listitem').filter({ hasText: 'STRIPE' })
  await line.getByRole('button', { name: /^Accepter/ }).click()
  await expect(line.getByRole('button', { name: /^Accepter/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Rapprochés' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'STRIPE' }).first()).toContainText('Rapproché')
  await expectAccessibleAndNoOverflow(page)
}
