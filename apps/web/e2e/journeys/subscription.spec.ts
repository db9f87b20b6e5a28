import type { APIRequestContext, Browser, Page } from '@playwright/test'
import { expectNoOverflow } from '../fixtures.ts'
import {
  buildBearerHeader,
  expect,
  expectAccessibleAndNoOverflow,
  getToast,
  openAs,
  type Person,
  register,
  test,
} from './people.ts'
import { buildDemoAdmin } from './places.ts'

const PRM = (n: number) => `3000${String(n).padStart(10, '0')}`

/** As many people with a point each, by the file that an administrator would send. */
async function enrol(request: APIRequestContext, admin: Person, operationId: string, first: number, count: number) {
  const lines = Array.from({ length: count }, (_, at) => `Voisin ${first + at};${PRM(first + at)};;01/02/2026;9`)
  const text = ['Nom;PRM;E-mail;Date d’entrée;Puissance souscrite (kVA)', ...lines].join('\n')
  return request.post(`/api/participants/import?name=x.csv&dryRun=false&operationId=${operationId}`, {
    headers: { ...buildBearerHeader(admin), 'content-type': 'application/octet-stream' },
    data: Buffer.from(text),
  })
}

async function makeOperation(request: APIRequestContext, admin: Person) {
  const data = { name: 'Les Tilleuls', startsOn: '2026-01-01', status: 'pending' }
  const answer = await request.post('/api/acc-operations', { headers: buildBearerHeader(admin), data })
  expect(answer.status()).toBe(200)
  return String((await answer.json()).id)
}

async function choose(page: Page, plan: string) {
  await page.getByRole('button', { name: plan }).click()
  const dialog = page.getByRole('dialog', { name: /^Passer à/ })
  await expect(dialog).toContainText('Total TTC')
  await dialog.getByRole('button', { name: /^Confirmer et recevoir la facture/ }).click()
  await expect(dialog).toHaveCount(0)
}

/** Who keeps the installation, and bills the companies on it. */
async function openKeeper(browser: Browser, request: APIRequestContext) {
  const answer = await request.post('/api/auth/login', {
    data: { email: 'admin@demo.voisol.fr', password: 'soleil-partage-demo' },
  })
  return openAs(browser, buildDemoAdmin((await answer.json()).token))
}

test('a new company reaches the limit of its plan, is refused, sees what the next one costs, takes it and has its invoice', async ({
  page,
  admin,
  request,
}) => {
  const operationId = await makeOperation(request, admin)
  expect((await enrol(request, admin, operationId, 1, 50)).status()).toBe(200)
  await page.goto('/subscription-plans')
  await expect(page.getByText(/Essai gratuit jusqu’au/)).toBeVisible()
  await expect(page.getByText('50 points de mesure utilisés sur 200')).toBeVisible()
  await choose(page, 'Choisir Starter')
  await expect(getToast(page)).toContainText('Formule Starter en cours')
  await expect(page.getByRole('heading', { name: 'Formule Starter, mensuelle' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Essai gratuit' })).toHaveCount(0)
  await expect(page.getByText('50 points de mesure utilisés sur 50')).toBeVisible()

  await page.goto('/participants')
  await page.getByRole('button', { name: 'Ajouter', exact: true }).click()
  const adding = page.getByRole('dialog', { name: 'Ajouter un participant' })
  await adding.getByLabel('Organisation').check()
  await adding.getByLabel('Nom de l’organisation').fill('Boulangerie du Pont')
  await adding.getByRole('button', { name: 'Enregistrer et continuer' }).click()
  await adding.getByLabel('Opération', { exact: true }).selectOption('Les Tilleuls')
  await adding.getByLabel('PRM').fill(PRM(51))
  await adding.getByLabel('Entrée').fill('2026-03-01')
  await adding.getByRole('button', { name: 'Ajouter le point' }).click()
  await expect(adding.getByRole('alert')).toContainText(/La formule Starter comprend 50 points de mesure/)

  await page.goto('/subscription-plans')
  await page.getByRole('button', { name: 'Choisir Professional' }).click()
  const dialog = page.getByRole('dialog', { name: 'Passer à Professional' })
  await expect(dialog).toContainText(/Abonnement Starter, part non utilisée/)
  await expect(dialog).toContainText(/Total TTC\s*240,00\s€/)
  await expectAccessibleAndNoOverflow(page)
  await dialog.getByRole('button', { name: /^Confirmer et recevoir la facture de 240,00\s€/ }).click()
  await expect(getToast(page)).toContainText('Formule Professional en cours')
  expect((await enrol(request, admin, operationId, 51, 1)).status()).toBe(200)

  await page.getByRole('tab', { name: 'Factures' }).click()
  const bills = page.getByRole('table', { name: 'Factures de l’abonnement' }).locator('tbody tr')
  await expect(bills).toHaveCount(2)
  await expect(bills.first()).toContainText(
    /Facture ABO\d{4}-\d{5}.*Abonnement Professional, mensuel.*240,00\s€.*À régler/,
  )
  const file = page.waitForEvent('download')
  await page
    .getByRole('button', { name: /^Télécharger ABO.* en PDF$/ })
    .first()
    .click()
  expect((await file).suggestedFilename()).toMatch(/^ABO\d{4}-\d{5}\.pdf$/)
  await expectAccessibleAndNoOverflow(page)
})

test('what is ended only reads, and a plan opens it again at once; whoever keeps the installation finds what was invoiced', async ({
  page,
  admin,
  browser,
  request,
}) => {
  await page.goto('/subscription-plans')
  await choose(page, 'Choisir Professional')
  await page.getByRole('button', { name: /^Être remboursé, jusqu’au/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Être remboursé', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Abonnement', exact: true })).toContainText('lecture seule')
  const write = () =>
    request.post('/api/acc-operations', {
      headers: buildBearerHeader(admin),
      data: { name: 'Les Berges', startsOn: '2026-01-01', status: 'pending' },
    })
  const refused = await write()
  expect(refused.status()).toBe(402)
  expect((await refused.json()).message).toContain('rien n’est effacé')
  await choose(page, 'Choisir Starter')
  await expect(page.getByRole('region', { name: 'Abonnement', exact: true })).toHaveCount(0)
  expect((await write()).status()).toBe(200)
  const keeper = await openKeeper(browser, request)
  await keeper.setViewportSize({ width: 1440, height: 900 })
  await keeper.goto('/invoices?sort=-month')
  // Such a period goes from day to day, and is longer than the name of a month.
  await expect(keeper.getByRole('row').filter({ hasText: 'Abonnement Starter, mensuel' }).first()).toContainText(' – ')
  await expectNoOverflow(keeper)
})

test('what is used, month by month, and taken away; the keeper sees every company', async ({
  page,
  admin,
  browser,
  request,
}) => {
  expect((await enrol(request, admin, await makeOperation(request, admin), 1, 3)).status()).toBe(200)
  await page.goto('/usage-monitoring')
  await expect(page.getByText('Sur 200 compris')).toBeVisible()
  await expect(page.getByText('Points de mesure', { exact: true })).toBeVisible()
  const file = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Exporter en CSV' }).click()
  expect((await file).suggestedFilename()).toMatch(/^utilisation.*\.csv$/)
  await expectAccessibleAndNoOverflow(page)
  await register(request, 'Régie des Lônes')
  const keeper = await openKeeper(browser, request)
  await keeper.goto('/subscription-plans?onglet=organisations')
  const row = keeper.getByRole('row').filter({ hasText: 'Régie des Lônes' }).first()
  await expect(row).toContainText('Essai gratuit')
})
