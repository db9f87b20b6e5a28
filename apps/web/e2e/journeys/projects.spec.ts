import type { APIRequestContext, Page } from '@playwright/test'
import { buildBearerHeader, expect, expectAccessibleAndNoOverflow, getToast, type Person, test } from './people.ts'

const near = { latitude: 45.7605, longitude: 4.848 }
const roof = { building: 'École', peakWatts: 36_000, azimuth: 180, tilt: 30, ...near }
const candidate = (n: number) => ({
  name: `Voisin ${n}`,
  email: '',
  kind: 'person',
  prm: `1912575962${5900 + n}`,
  profile: 'household',
  yearlyKwh: 3000,
  pointId: null,
  ...near,
})

async function make(request: APIRequestContext, admin: Person, more: Record<string, unknown>) {
  const data = { kind: 'coownership', postalCode: '69003', city: 'Lyon', ...near, ...more }
  const answer = await request.post('/api/projects', { headers: buildBearerHeader(admin), data })
  expect(answer.status()).toBe(200)
  return answer.json()
}

const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click()
const card = (page: Page, column: string, name: string) =>
  page.getByRole('region', { name: column, exact: true }).getByRole('listitem').filter({ hasText: name })

test('a project is created, filled, studied and turned into an operation', async ({ page, admin }) => {
  expect(admin.companyId).toBeGreaterThan(0)
  await page.goto('/projects')
  await expect(page.getByRole('heading', { name: 'Aucun projet' })).toBeVisible()
  await page.getByRole('link', { name: 'Nouveau projet' }).click()
  await page.getByRole('button', { name: 'Créer le projet' }).click()
  await expect(page.getByLabel('Nom du projet')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('Nom du projet').fill('Résidence des Cèdres')
  await page.getByLabel('Code postal').fill('69003')
  await page.getByLabel('Commune').fill('Lyon')
  await page.getByLabel('Position').fill('45.7605, 4.848')
  await expectAccessibleAndNoOverflow(page)
  await page.getByRole('button', { name: 'Créer le projet' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Résidence des Cèdres')

  await page.getByRole('button', { name: 'Ajouter une toiture' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Bâtiment').fill('Bâtiment A')
  await dialog.getByLabel('Puissance').fill('beaucoup')
  await dialog.getByRole('button', { name: 'Ajouter la toiture' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Nombre attendu')
  await dialog.getByLabel('Puissance').fill('36,5')
  await dialog.getByRole('button', { name: 'Ajouter la toiture' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('table', { name: 'Toitures' })).toContainText('36,5')

  await tab(page, 'Candidats')
  await page.getByRole('button', { name: 'Ajouter un candidat' }).click()
  await dialog.getByLabel('Nom', { exact: true }).fill('Mme Achard')
  await dialog.getByLabel('Consommation annuelle').fill('2 600')
  await dialog.getByLabel('PRM').fill('19 125 759 625 988')
  await dialog.getByRole('button', { name: 'Ajouter le candidat' }).click()
  await expect(dialog).toHaveCount(0)
  await page.getByRole('button', { name: 'Coller une liste' }).click()
  await dialog
    .getByLabel('Liste')
    .fill('École Jean-Macé;École;24000;19125759625989\nM. Benali;Logement;beaucoup\nCabinet Roux;Bureaux;15 500')
  await expect(dialog.getByText(/1.ligne refusée, laissée de côté/)).toBeVisible()
  await expectAccessibleAndNoOverflow(page)
  await dialog.getByRole('button', { name: /^Ajouter 2.candidats/ }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('table', { name: 'Candidats' }).locator('tbody tr')).toHaveCount(3)

  await tab(page, 'Étude')
  await page.getByRole('button', { name: 'Lancer l’étude' }).click()
  await expect(getToast(page)).toContainText('Étude terminée', { timeout: 30_000 })
  await expect(page.getByText('Les toitures produiraient')).toBeVisible()
  await expect(page.getByRole('table', { name: 'Étude par candidat' })).toContainText('Mme Achard')
  await expectAccessibleAndNoOverflow(page)

  await page.getByRole('button', { name: 'Passer à l’étude' }).click()
  await page.getByRole('button', { name: 'Passer au conventionnement' }).click()
  await page.getByRole('button', { name: 'Créer l’opération' }).click()
  await expect(dialog).toContainText(/2.candidats deviendront participants/)
  await expect(dialog).toContainText(/1.candidat sans PRM restera/)
  await dialog.getByRole('button', { name: 'Créer l’opération' }).click()
  await expect(page).toHaveURL(/\/acc-operations\/[\w-]{36}/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Résidence des Cèdres')
  await page.goto('/projects')
  await expect(page.getByRole('table', { name: 'Projets' })).toContainText('En service')
})

test('cards move between states by the mouse and from their menu; the map names every project', async ({
  page,
  admin,
  request,
}) => {
  await make(request, admin, { name: 'Halle aux grains', kind: 'authority' })
  await make(request, admin, { name: 'Zone des Érables', kind: 'industrial', latitude: null, longitude: null })
  await page.goto('/projects?vue=kanban')
  await expect(card(page, 'Prospect', 'Halle aux grains')).toBeVisible()
  await expectAccessibleAndNoOverflow(page)
  await card(page, 'Prospect', 'Halle aux grains').dragTo(page.getByRole('region', { name: 'Étude', exact: true }))
  await expect(card(page, 'Étude', 'Halle aux grains')).toBeVisible()
  await page.getByRole('button', { name: 'Déplacer ou ouvrir Halle aux grains' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Passer au conventionnement' }).click()
  await expect(card(page, 'Conventionnement', 'Halle aux grains')).toBeVisible()
  await page.getByRole('button', { name: 'Déplacer ou ouvrir Zone des Érables' }).click()
  await page.getByRole('menuitem', { name: 'Abandonner…' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Abandonner le projet' }).click()
  await expect(card(page, 'Abandonné', 'Zone des Érables')).toBeVisible()

  await page.getByRole('button', { name: 'Carte' }).click()
  await expect(page).toHaveURL('/projects?vue=carte')
  await expect(page.getByRole('img', { name: /1.repère sur la carte de France/ })).toBeVisible()
  await expect(page.getByText(/Abandonné.*lieu à préciser/)).toBeVisible()
  await expectAccessibleAndNoOverflow(page)
  await page.getByLabel('Type de projet').selectOption('Collectivité')
  await expect(page.getByText('Zone des Érables')).toHaveCount(0)
})

test('steps are ticked, notes and documents kept, the perimeter checked, a change makes the study stale', async ({
  page,
  admin,
  request,
}) => {
  const { id } = await make(request, admin, { name: 'Les Cèdres', roofs: [roof], candidates: [candidate(1)] })
  await request.post(`/api/projects/${id}/study`, { headers: buildBearerHeader(admin) })
  await page.goto(`/projects/${id}?onglet=etapes`)
  await page.getByRole('checkbox', { name: 'Réunir les factures et les accords de principe, faite' }).check()
  await expect(page.getByText(/1.étape faite sur 9/)).toBeVisible()
  await expectAccessibleAndNoOverflow(page)

  await tab(page, 'Notes')
  await page.getByLabel('Nouvelle note').fill('Accord de principe du conseil syndical.')
  await page.getByRole('button', { name: 'Ajouter la note' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Accord de principe' })).toContainText('Élodie Garnier')
  await expect(page.getByLabel('Nouvelle note')).toHaveValue('')

  await tab(page, 'Documents')
  const devis = { name: 'devis.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 devis') }
  await page.getByLabel('Choisir un document').setInputFiles(devis)
  await expect(page.getByRole('table', { name: 'Documents' })).toContainText('devis.pdf')
  await expectAccessibleAndNoOverflow(page)

  await tab(page, 'Périmètre')
  await expect(page.getByText('La distance et la puissance respectent les règles.')).toBeVisible()
  await expectAccessibleAndNoOverflow(page)

  await page.getByRole('link', { name: 'Modifier' }).click()
  await page.getByLabel('Énergie locale').fill('13,5')
  await expectAccessibleAndNoOverflow(page)
  await page.getByRole('button', { name: 'Enregistrer le projet' }).click()
  await expect(page.getByText('Le projet a changé depuis cette étude.')).toBeVisible()
  await page.getByRole('button', { name: 'Actions' }).click()
  await page.getByRole('menuitem', { name: 'Supprimer…' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Supprimer le projet' }).click()
  await expect(page.getByRole('alertdialog').getByRole('alert')).toContainText('Retirez d’abord les documents')
})

test('a failure says so and can be tried again', async ({ page, admin }) => {
  expect(admin.token).not.toBe('')
  await page.route('**/api/projects?*', (route) => route.fulfill({ status: 503, body: '' }))
  await page.goto('/projects?vue=kanban')
  await expect(page.getByRole('alert')).toContainText('Le chargement a échoué')
  await expectAccessibleAndNoOverflow(page)
  await page.unroute('**/api/projects?*')
  await page.getByRole('button', { name: 'Réessayer' }).click()
  await expect(page.getByRole('heading', { name: 'Aucun projet' })).toBeVisible()
})
