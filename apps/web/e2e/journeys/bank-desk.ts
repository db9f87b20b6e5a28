import type { APIRequestContext, Page } from '@playwright/test'
import { addDays } from '@voisol/energy/calendar'
import { type BankStatementEntry, bankStatement, buildReturnXml, buildTransferXml } from './bank-files.ts'
import { buildBearerHeader, expect, expectAccessibleAndNoOverflow, type Person } from './people.ts'

type Api = { request: APIRequestContext; admin: Person }
const IBAN = 'FR7630006000011234567890189'
const DEBTORS: Record<string, string> = {
  Aubert: 'FR1420041010050500013M02606',
  Kessler: 'DE89370400440532013000',
}

async function sendRequest({ request, admin }: Api, method: 'get' | 'post', path: string, data?: unknown) {
  const answer = await request[method](path, { headers: buildBearerHeader(admin), ...(data !== undefined && { data }) })
  expect([path, answer.status(), answer.status() === 200 ? '' : await answer.text()]).toEqual([path, 200, ''])
  return answer.json()
}

const buildStatement = (on: string, entries: BankStatementEntry[]) =>
  bankStatement({ iban: IBAN, opening: 50_000, on, entries })

/** An account with its ICS, and a mandate of two of the three homes. */
async function createAccountAndMandates(api: Api) {
  const { items: sellers } = await sendRequest(api, 'get', '/api/sellers')
  const ownerId = sellers.find(({ name }: { name: string }) => name === 'École Prévert').id
  const about = { name: 'Compte courant', bic: '', ics: 'FR72ZZZ123456', painVersion: '08' }
  await sendRequest(api, 'post', '/api/bank-accounts', { ...about, ownerId, iban: IBAN })
  for (const [name, iban] of Object.entries(DEBTORS)) {
    const { items } = await sendRequest(api, 'get', `/api/participants?q=${name}`)
    const whose = { creditorId: ownerId, participantId: items[0].id, holder: `Camille ${name}` }
    await sendRequest(api, 'post', '/api/mandates', {
      ...whose,
      iban,
      bic: '',
      kind: 'recurrent',
      signedOn: '2026-01-07',
    })
  }
}

/** Announced, filed and sent in the browser; then the bank's name of each. */
async function runDirectDebit(page: Page, api: Api) {
  await page.goto('/billing?tab=prelevements')
  await page.getByRole('button', { name: 'Préparer un prélèvement' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('Camille Aubert')).toBeVisible()
  await dialog.getByRole('button', { name: 'Annoncer à chacun par e-mail' }).click()
  await dialog.getByRole('button', { name: 'Préparer le fichier' }).click()
  await dialog.getByRole('button', { name: 'Le fichier est à la banque' }).click()
  await expect(dialog.getByText('Attendu').first()).toBeVisible()
  await expectAccessibleAndNoOverflow(page)
  const { items } = await sendRequest(api, 'get', '/api/debit-runs')
  return sendRequest(api, 'get', `/api/debit-runs/${items[0].id}`)
}

/** A batch that pays two homes, one that comes back, a part of a third home's invoice, too much of nothing: all by keyboard. */
export async function settleAtBank(page: Page, api: Api) {
  await createAccountAndMandates(api)
  const run = await runDirectDebit(page, api)
  const { items } = await sendRequest(api, 'get', '/api/invoices?q=Diop')
  const [back] = run.items
  const part = Math.floor(items[0].gross / 2)
  const file = buildStatement(run.collectionOn, [
    { cents: run.total, details: `<Btch><PmtInfId>${run.messageId}-R</PmtInfId></Btch>` },
    { cents: part, details: buildTransferXml(`VIR ${items[0].number}`, 'DIOP CAMILLE') },
    { cents: 777, details: buildTransferXml('SANS REFERENCE', 'INCONNU') },
  ])
  await page.goto('/billing?tab=banque')
  const upload = page.locator('input[type=file]')
  await upload.setInputFiles({ name: 'releve.xml', mimeType: 'application/xml', buffer: file })
  await expect(page.getByText('3 mouvements lus, 1 rapproché, 2 à rapprocher.')).toBeVisible()
  await expectAccessibleAndNoOverflow(page)
  const lines = page.getByRole('list', { name: 'Mouvements' })
  await lines
    .getByRole('button', { name: /DIOP CAMILLE/ })
    .first()
    .focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText(`Affecté à ${items[0].number}`)).toBeVisible()
  await page.keyboard.press('i')
  await page.getByRole('dialog').getByLabel('Raison').fill('Apport personnel')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Tout est rapproché')).toBeVisible()
  const next = buildStatement(run.collectionOn, [{ cents: -back.amount, details: buildReturnXml(back, 'AM04') }])
  await upload.setInputFiles({ name: 'rejet.xml', mimeType: 'application/xml', buffer: next })
  await expect(page.getByText('1 mouvement lu, 1 rejet.')).toBeVisible()
  await expectRefusedStatements(page, addDays(run.collectionOn, 3))
  await page.goto('/billing?tab=prelevements')
  await page.getByRole('button', { name: /^Ouvrir le prélèvement/ }).click()
  await expect(page.getByRole('dialog').getByText('provision insuffisante')).toBeVisible()
}

/** Of another account, or with movements missing before it: nothing is taken, and it is said; the second may be taken all the same. */
async function expectRefusedStatements(page: Page, on: string) {
  const entries = [{ cents: 431, details: buildTransferXml('SANS REFERENCE', 'INCONNU') }]
  const give = (name: string, iban: string) =>
    page.locator('input[type=file]').setInputFiles({
      name,
      mimeType: 'application/xml',
      buffer: bankStatement({ iban, opening: 71_003, on, entries }),
    })
  const alert = page.getByRole('alert')
  await give('autre-compte.xml', DEBTORS.Kessler ?? '')
  await expect(alert).toContainText('autre-compte.xml est refusé.')
  await expect(alert).toContainText('finissant par 3000')
  await expect(alert.getByRole('button')).toHaveCount(0)
  await give('juillet.xml', IBAN)
  await expect(alert).toContainText('de mouvements manquent entre les deux.')
  await expect(page.getByText('Tout est rapproché')).toBeVisible()
  await expectAccessibleAndNoOverflow(page)
  await alert.getByRole('button', { name: 'Importer quand même' }).click()
  await expect(page.getByText('1 mouvement lu, 1 à rapprocher.')).toBeVisible()
  await expect(alert).toHaveCount(0)
  const row = page.getByRole('table', { name: 'Relevés importés' }).getByRole('row').filter({ hasText: 'Écart' })
  await expect(row).toContainText('de mouvements manquent')
}
