import type { APIRequestContext, Page } from '@playwright/test'
import { buildBearerHeader, expect, expectAccessibleAndNoOverflow, getToast, type Person, test } from './people.ts'

const next = (page: Page) => page.getByRole('button', { name: 'Continuer' }).click()
const step = (page: Page, title: string) => expect(page.getByRole('heading', { level: 2, name: title })).toBeVisible()
const prmOf = (at: number) => String(19_125_759_600_000 + at)

const file = (lines: string[]) => ({
  name: 'participants.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(['Nom;Prénom;E-mail;PRM;Rôle;Puissance souscrite (kVA)', ...lines].join('\n')),
})
const good = [1, 2, 3].map((at) => `Durand ${at};Camille;c${at}@exemple.fr;${prmOf(at)};Consommateur;6`)

async function create(request: APIRequestContext, admin: Person, data: object) {
  const answer = await request.post('/api/acc-operations', { headers: buildBearerHeader(admin), data })
  expect(answer.status()).toBe(200)
  return (await answer.json()) as { id: string; version: number }
}
const roof = (prm: string, peakWatts = 36_000) => ({
  kind: 'organisation',
  name: 'École Jean-Moulin',
  prm,
  direction: 'production',
  peakWatts,
})
const home = (at: number) => ({ kind: 'person', name: `Foyer ${at}`, prm: prmOf(at) })

async function move(page: Page, action: string) {
  await page.getByRole('button', { name: 'Changer l’état' }).click()
  await page.getByRole('menuitem', { name: action }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: action }).click()
  return dialog
}

test('an operation is made with the wizard and a file, then put into service', async ({ page, admin }) => {
  await page.goto('/acc-operations')
  await expect(page.getByText('Aucune opération')).toBeVisible()
  await page.getByRole('link', { name: 'Nouvelle opération' }).first().click()
  await next(page)
  await expect(page.getByRole('alert')).toContainText('Donnez un nom à l’opération')
  await expect(page.getByLabel('Nom de l’opération')).toBeFocused()
  await page.getByLabel('Nom de l’opération').fill('Résidence des Tilleuls')
  await page.getByLabel('Numéro ACC').fill('acc 537')
  await next(page)
  await expect(page.getByLabel('Numéro ACC')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('Numéro ACC').fill('acc00000537')
  await next(page)
  await step(page, 'Organisateur')
  await page.getByRole('button', { name: 'C’est Les Tuiles Bleues' }).click()
  await expect(page.getByLabel('Dénomination')).toHaveValue('Les Tuiles Bleues')
  await next(page)

  await step(page, 'Adresse et périmètre')
  await page.getByLabel('Puissance crête prévue, en kWc').fill('5 000')
  await expect(page.getByRole('region', { name: 'Contrôle du périmètre' })).toContainText(/inférieure à 5\sMW/)
  await next(page)
  await expect(page.getByRole('alert')).toContainText(/inférieure à 5\sMW/)
  await page.getByLabel('Puissance crête prévue, en kWc').fill('36')
  await next(page)

  await step(page, 'Producteurs')
  await page.getByLabel('Nom', { exact: true }).fill('École Jean-Moulin')
  await page.getByLabel('PRM de production').fill('3000 1234')
  await page.getByLabel('Puissance crête, en kWc').fill('36,5')
  await next(page)
  await expect(page.getByRole('alert')).toContainText('Un PRM compte quatorze chiffres')
  await expectAccessibleAndNoOverflow(page)
  await page.getByLabel('PRM de production').fill('30 001 234 567 890')
  await next(page)

  await step(page, 'Consommateurs')
  const wrong = ['Faux;Paul;paul@exemple.fr;123;Consommateur;6', `Double;Zoé;zoe@exemple.fr;${prmOf(1)};Consommateur;9`]
  await page.locator('input[type=file]').setInputFiles(file([...good, ...wrong]))
  const preview = page.getByRole('table', { name: 'Lignes du fichier' })
  await expect(preview.locator('tbody tr')).toHaveCount(3)
  await expect(page.getByText(/^Un PRM compte quatorze chiffres/)).toHaveCount(1)
  await expect(page.getByText(/déjà à la ligne 2/)).toHaveCount(1)
  await expectAccessibleAndNoOverflow(page)
  await page.getByRole('button', { name: /Reprendre 3\slignes valables/ }).click()
  await expect(page.getByText(/^3\sconsommateurs$/)).toBeVisible()

  await page.getByRole('link', { name: 'Tableau de bord' }).first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'Tableau de bord' })).toBeVisible()
  await page.goto('/acc-operations/new')
  await step(page, 'Consommateurs')
  await expect(page.getByText(/^3\sconsommateurs$/)).toBeVisible()
  await next(page)

  await step(page, 'Clé de répartition')
  await page.getByRole('radio', { name: 'Statique', exact: true }).check()
  await page.getByRole('button', { name: 'Répartir également' }).click()
  await expect(page.getByText(/Somme des parts\s:\s100\s%/)).toBeVisible()
  await page.getByLabel(/^Camille Durand 1/).fill('60')
  await next(page)
  await expect(page.getByRole('alert')).toContainText('ne peut dépasser 100')
  await page.getByRole('button', { name: 'Répartir également' }).click()
  await next(page)
  await page.getByLabel('Prix de vente, en c€/kWh').fill('12,5')
  await next(page)
  await step(page, 'Vérification')
  await expect(page.getByText('12,5 c€/kWh').first()).toBeVisible()
  await expectAccessibleAndNoOverflow(page)
  await page.getByRole('button', { name: 'Créer l’opération' }).click()

  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Résidence des Tilleuls')
  await expect(getToast(page)).toContainText('Opération créée')
  await expect(page.getByText(/1\sproducteur, 3\sconsommateurs/)).toBeVisible()
  await expectAccessibleAndNoOverflow(page)
  await expect(await move(page, 'Mettre en service')).toHaveCount(0)
  await expect(getToast(page)).toContainText('Opération en service')
  await page.getByRole('tab', { name: 'Journal' }).click()
  await expect(page.getByRole('table', { name: 'Journal de l’opération' }).locator('tbody tr')).toHaveCount(2)
  await expect(page.getByText(admin.email).first()).toBeVisible()
})

test('what is missing for the start is said, and the start refused', async ({ page, admin, request }) => {
  const bare = await create(request, admin, { name: 'Halle' })
  await page.goto(`/acc-operations/${bare.id}`)
  const missing = await move(page, 'Mettre en service')
  await expect(missing.getByRole('alert')).toContainText('il manque un producteur')
  await expect(missing).toContainText('Au moins un consommateur')
  await expectAccessibleAndNoOverflow(page)

  const big = await create(request, admin, { name: 'Zone du Port', participants: [roof('30001234567891', 5_000_000)] })
  await page.goto(`/acc-operations/${big.id}`)
  await expect(page.getByText(/Refusé\s:/)).toBeVisible()
  await expect((await move(page, 'Mettre en service')).getByRole('alert')).toContainText(/inférieure à 5\sMW/)

  const early = await create(request, admin, {
    name: 'Écoquartier',
    accNumber: 'ACC00000538',
    startsOn: '2026-11-01',
    participants: [roof('30001234567892'), home(1)],
  })
  await page.goto(`/acc-operations/${early.id}`)
  await page.getByRole('button', { name: 'Modifier' }).click()
  await page.getByLabel('Date de début').fill('2026-10-01')
  await page.getByRole('button', { name: 'Enregistrer l’opération' }).click()
  await expect(getToast(page)).toContainText('Opération enregistrée')
  const keyless = await move(page, 'Mettre en service')
  await expect(keyless.getByRole('alert')).toContainText('aucune clé de répartition n’est en vigueur au 01/10/2026')
})

test('a PRM of another operation leads back to its row', async ({ page, admin, request }) => {
  await create(request, admin, { name: 'Halle', participants: [home(7)] })
  await page.goto('/acc-operations/new')
  await page.getByLabel('Nom de l’opération').fill('Écoquartier')
  for (let at = 0; at < 4; at++) await next(page)
  await page.getByLabel('Nom', { exact: true }).fill('Zoé Lambert')
  await page.getByLabel('PRM de consommation').fill(prmOf(7))
  for (let at = 0; at < 3; at++) await next(page)
  await page.getByRole('button', { name: 'Enregistrer comme brouillon' }).click()
  await step(page, 'Consommateurs')
  await expect(page.getByRole('alert')).toContainText('Ce point prend déjà part à « Halle »')
  await expect(page.getByLabel('PRM de consommation')).toBeFocused()
  await page.getByLabel('PRM de consommation').fill(prmOf(8))
  for (let at = 0; at < 3; at++) await next(page)
  await page.getByRole('button', { name: 'Enregistrer comme brouillon' }).click()
  await expect(page.getByText('Brouillon', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Supprimer' }).click()
  await page.getByRole('button', { name: 'Supprimer le brouillon' }).click()
  await expect(page).toHaveURL('/acc-operations')
  await expect(page.getByRole('table', { name: 'Opérations' }).locator('tbody tr')).toHaveCount(1)
})

test('two people edit: the later one sees what the other wrote', async ({ page, admin, request }) => {
  const { id } = await create(request, admin, { name: 'Halle', unitPrice: 1250 })
  await page.goto(`/acc-operations/${id}`)
  await page.getByRole('button', { name: 'Modifier' }).click()
  const { version, ...now } = await (
    await request.get(`/api/acc-operations/${id}`, { headers: buildBearerHeader(admin) })
  ).json()
  const { accNumber, name, description, pmoName, pmoSiren, address, postalCode, city, latitude, longitude } = now
  const { perimeter, zone, capacityWatts, stepMinutes, startsOn, endsOn, surplusBuyer, vatMode, timeCalendar } = now
  const written = await request.patch(`/api/acc-operations/${id}`, {
    headers: buildBearerHeader(admin),
    data: {
      accNumber,
      name,
      description,
      pmoName,
      pmoSiren,
      address,
      postalCode,
      city,
      latitude,
      longitude,
      perimeter,
      zone,
      capacityWatts,
      stepMinutes,
      startsOn,
      endsOn,
      surplusBuyer,
      vatMode,
      timeCalendar,
      unitPrice: 1400,
      version,
    },
  })
  expect(written.status()).toBe(200)
  await page.getByLabel('Nom de l’opération').fill('Halle du marché')
  await page.getByRole('button', { name: 'Enregistrer l’opération' }).click()
  await expect(page.getByRole('alert')).toContainText(/Enregistré entre-temps\s: «\s14\s»/)
  await page.getByRole('button', { name: 'Enregistrer l’opération' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Halle du marché')
})

test('documents are kept with the operation; the list is searched, filtered and taken away', async ({
  page,
  admin,
  request,
}) => {
  const { id } = await create(request, admin, { name: 'Écoquartier', participants: [roof('30001234567893'), home(1)] })
  await create(request, admin, { name: 'Halle', status: 'draft' })
  await page.goto(`/acc-operations/${id}?onglet=documents`)
  await page.getByLabel('Intitulé').fill('Convention')
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'convention.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 convention') })
  await expect(page.getByRole('table', { name: 'Documents' })).toContainText('convention.pdf')
  await expectAccessibleAndNoOverflow(page)
  await page.getByRole('tab', { name: 'Participants' }).click()
  await expect(page).toHaveURL(/onglet=participants/)
  await expect(page.getByRole('table', { name: 'Participants de l’opération' }).locator('tbody tr')).toHaveCount(2)

  await page.goto(`/companies/${admin.companyId}/operations`)
  const rows = page.getByRole('table', { name: 'Opérations' }).locator('tbody tr')
  await expect(rows).toHaveCount(2)
  await page.getByRole('searchbox', { name: 'Rechercher une opération' }).fill('ecoquartier')
  await expect(rows).toHaveText([/Écoquartier/])
  await page.getByRole('button', { name: 'Brouillon' }).click()
  await expect(page.getByText('Aucun résultat')).toBeVisible()
  await page.getByRole('button', { name: 'Effacer les filtres' }).click()
  await expect(rows).toHaveCount(2)
  await page.getByRole('button', { name: 'Brouillon' }).click()
  await expect(page).toHaveURL(/status=draft/)
  await expect(rows).toHaveText([/Halle/])
  await page.getByRole('button', { name: 'Exporter' }).click()
  const [taken] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'CSV pour Excel' }).click(),
  ])
  expect(taken.suggestedFilename()).toMatch(/\.csv$/)
  await page.getByRole('link', { name: 'Halle' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Halle')
})
