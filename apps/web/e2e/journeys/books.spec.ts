import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { DEMO_EMAILS, DEMO_PASSWORD } from '../fixtures.ts'
import {
  buildBearerHeader,
  expect,
  expectAccessibleAndNoOverflow,
  getToast,
  inviteAndAccept,
  openAs,
  type Person,
  signInElsewhere,
  test,
} from './people.ts'

/** The last December that is over. */
const YEAR = new Date().getUTCFullYear() - 1
type Late = { seller: { id: string; name: string }; buyer: { name: string }; items: { number: string }[] }

const chooses = async (page: Page, entity: string, month: string) =>
  page.goto(`/fiscal-documents?tab=comptabilite&entite=${entity}&exercice=${month.slice(0, 4)}&mois=${month}`)

async function finds(page: Page, words: string, day = '') {
  await page.getByRole('searchbox', { name: /^Rechercher un compte/ }).fill(words)
  const rows = page.getByRole('region', { name: /^Écritures d/ }).getByRole('row')
  const first = rows
    .filter({ hasText: day || words })
    .getByRole('button', { name: /^Ouvrir l’écriture / })
    .first()
  // Pressed at once: what is about to be replaced by the search does not open, what is found does, and stays.
  await first.click()
  await expect(page.getByRole('region', { name: /^Lignes de / }).first()).toBeVisible()
}

/** What was supplied in December and invoiced in January stands in 4181 and 44587, and in the file for the tax office. */
async function readsCutOff(page: Page) {
  await page.getByLabel('Exercice', { exact: true }).selectOption(String(YEAR))
  await page.getByRole('button', { name: `Décembre ${YEAR}` }).click()
  await expect(page.getByRole('heading', { name: `Écritures de décembre ${YEAR}` })).toBeVisible()
  await finds(page, '445870', `31/12/${YEAR}`)
  const lines = page.getByRole('region', { name: /^Lignes de / }).first()
  for (const account of ['418100', '445870']) await expect(lines).toContainText(account)
  await expectAccessibleAndNoOverflow(page)
  const coming = page.waitForEvent('download')
  await page.getByRole('button', { name: 'FEC' }).click()
  await page.getByRole('menuitem', { name: 'UTF-8' }).click()
  const file = await coming
  expect(file.suggestedFilename()).toMatch(new RegExp(`^\\d{9}FEC${YEAR}1231\\.txt$`))
  const rows = (await readFile(await file.path(), 'utf8'))
    .split(/\r?\n/)
    .filter(Boolean)
    .map((row) => row.split('\t'))
  const cents = (cell = '') => Number(cell.replace(',', ''))
  const sum = (column: number) => rows.slice(1).reduce((total, row) => total + cents(row[column]), 0)
  expect(rows.every((row) => row.length === 18)).toBe(true)
  expect(sum(11)).toBe(sum(12))
  for (const account of ['418100', '445870']) expect(rows.some((row) => row[4] === account)).toBe(true)
}

/** A claim that may be lost is set apart, the controls stay at zero, and it comes back. */
async function doubts(page: Page, { seller, items: [owed] }: Late, month: string) {
  const number = owed?.number ?? ''
  await chooses(page, seller.id, month)
  await page.getByRole('group', { name: 'Journal' }).getByRole('button', { name: 'Ventes' }).click()
  await finds(page, number)
  await page.getByRole('button', { name: 'Déclarer la créance douteuse' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Motif').fill('Redressement judiciaire')
  await dialog.getByRole('button', { name: 'Déclarer douteuse' }).click()
  await expect(getToast(page)).toContainText('Créance déclarée douteuse')
  const row = page
    .getByRole('region', { name: 'Créances douteuses' })
    .getByRole('row')
    .filter({ hasText: number })
    .last()
  await expect(row).toContainText('Douteuse')
  const main = page.getByRole('main')
  await expect(main.getByRole('listitem').filter({ hasText: 'Clients' }).first()).toContainText('Écart 0,00')
  await row.getByRole('button', { name: 'Lever le doute' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Lever le doute' }).click()
  await expect(row).toContainText('Levé le')
}

test('the accountant’s December: controls at zero, the cut-off, a doubtful debt, a month locked, the FEC, a question', async ({
  request,
  browser,
}) => {
  const admin = { email: DEMO_EMAILS.admin, password: DEMO_PASSWORD }
  const boss: Person = { ...admin, token: await signInElsewhere(request, admin), firstName: '', companyId: 1 }
  const accountant = await inviteAndAccept(request, boss, { firstName: 'Nour', lastName: 'Besson', role: 'accountant' })
  const page = await openAs(browser, accountant)
  await page.goto('/fiscal-documents?tab=comptabilite')
  const checks = page.getByRole('main').getByRole('listitem')
  for (const name of ['TVA collectée', 'Clients', 'Relevés des producteurs', 'Banque'])
    await expect(checks.filter({ hasText: name })).toContainText('Écart 0,00')
  await checks
    .filter({ hasText: 'TVA collectée' })
    .getByText(/^Voir /)
    .click()
  await expect(page.getByRole('region', { name: 'Contrôle : TVA collectée' })).toBeVisible()
  await expectAccessibleAndNoOverflow(page)

  await readsCutOff(page)
  const due = await request.get('/api/reminders/due', { headers: buildBearerHeader(boss) })
  const late: Late[] = (await due.json()).items
  const owing = late.find(({ items }) => items.length > 0)
  if (!owing) throw new Error('somebody of the demo is late')
  const found = await request.get(`/api/invoices?size=1&q=${owing.items[0]?.number}`, {
    headers: buildBearerHeader(boss),
  })
  await doubts(page, owing, (await found.json()).items[0].issuedOn.slice(0, 7))

  await page.goto('/fiscal-documents?tab=comptabilite')
  const lock = page.getByRole('button', { name: /^Verrouiller / }).first()
  const month = (await lock.getAttribute('aria-label'))?.replace('Verrouiller ', '') ?? ''
  await lock.click()
  await page.getByRole('button', { name: 'Verrouiller le mois' }).click()
  await expect(getToast(page)).toContainText('Mois verrouillé')
  await expect(page.getByRole('button', { name: `Verrouiller ${month}` })).toHaveCount(0)

  await page
    .getByRole('button', { name: /^Ouvrir l’écriture / })
    .first()
    .click()
  await page.getByLabel('Votre question').fill('Ce compte est-il le bon ?')
  await page.getByRole('button', { name: 'Poser la question' }).click()
  await expect(page.getByRole('heading', { name: /sans réponse/ })).toBeVisible()
  await expectAccessibleAndNoOverflow(page)
})
