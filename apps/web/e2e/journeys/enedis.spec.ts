import type { Page } from '@playwright/test'
import { test as demo, expect as expectDemo } from '../fixtures.ts'
import { buildBearerHeader, expect, expectAccessibleAndNoOverflow, getToast, test } from './people.ts'

const SANDBOX = 'bac-a-sable'

async function fillCredentials(page: Page, secret: string) {
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Bac à sable local').check()
  await dialog.getByLabel('Identifiant client').fill(SANDBOX)
  await dialog.getByLabel('Secret client', { exact: true }).fill(secret)
  await dialog.getByRole('button', { name: /^Tester et/ }).click()
}

test('credentials are tested before they are kept, tested again, replaced and removed', async ({ page, admin }) => {
  expect(admin.companyId).toBeGreaterThan(1)
  await page.goto('/enedis-api')
  await expect(page.getByRole('heading', { name: 'Aucun identifiant pour l’instant' })).toBeVisible()
  const trial = page.getByRole('link', { name: 'Essayer avec le bac à sable' })
  await expect(trial).toHaveAttribute('href', '/enedis-api/sync-tasks?nouvelle=1')

  await page.getByRole('button', { name: 'Ajouter des identifiants' }).click()
  await fillCredentials(page, 'faux')
  const secret = page.getByRole('dialog').getByLabel('Secret client', { exact: true })
  await expect(secret).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByRole('dialog').getByText('Rien n’a été enregistré').first()).toBeVisible()
  await expectAccessibleAndNoOverflow(page)

  await secret.fill(SANDBOX)
  await page.getByRole('button', { name: 'Afficher le secret' }).click()
  await expect(secret).toHaveAttribute('type', 'text')
  await page.getByRole('button', { name: 'Tester et enregistrer' }).click()
  await expect(getToast(page)).toContainText('Identifiants testés et enregistrés')
  const card = page.getByRole('article').filter({ hasText: 'Toute l’entreprise' })
  await expect(card).toContainText('La connexion fonctionne')
  await expect(card).toContainText('Appels ouverts')
  await expect(card).toContainText('sur 10')
  await expect(page.getByText(SANDBOX)).toHaveCount(0)

  await card.getByRole('button', { name: 'Tester à nouveau' }).click()
  await expect(getToast(page)).toContainText('La connexion fonctionne')

  await card.getByRole('button', { name: 'Remplacer' }).click()
  await page.getByRole('dialog').getByLabel('Interface des mesures').selectOption('holder')
  await fillCredentials(page, SANDBOX)
  await expect(getToast(page)).toContainText('Identifiants remplacés')
  await expect(card).toContainText('Espace du titulaire')

  await card.getByRole('button', { name: 'Retirer' }).click()
  await page.getByRole('button', { name: 'Retirer les identifiants' }).click()
  await expect(page.getByRole('heading', { name: 'Aucun identifiant pour l’instant' })).toBeVisible()
})

test('the settings of the synchronisation are kept, and the key is never shown again', async ({
  page,
  request,
  admin,
}) => {
  await page.goto('/dashboard/enedis-api')
  await page.getByLabel('À partir de').selectOption('11')
  await page.getByLabel('Jours relus').fill('45')
  await page.getByRole('button', { name: 'Enregistrer les réglages' }).click()
  await expect(page.getByLabel('Jours relus')).toHaveAttribute('aria-invalid', 'true')

  await page.getByLabel('Jours relus').fill('14')
  await page.getByLabel(/^Clé des fichiers chiffrés/).fill('0123456789abcdef'.repeat(4))
  await page.getByRole('button', { name: 'Enregistrer les réglages' }).click()
  await expect(getToast(page)).toContainText('Réglages enregistrés')
  await expect(page.getByText('Une clé est enregistrée')).toBeVisible()
  await expect(page.getByLabel(/^Clé des fichiers chiffrés/)).toHaveValue('')

  const kept = await (await request.get('/api/sync/settings', { headers: buildBearerHeader(admin) })).json()
  expect(kept).toMatchObject({ hour: 11, rollingDays: 14, hasFileKey: true })
  expect(JSON.stringify(kept)).not.toContain('0123456789abcdef')

  await page.getByLabel('Oublier la clé enregistrée').check()
  await page.getByRole('button', { name: 'Enregistrer les réglages' }).click()
  await expect(page.getByText('Une clé est enregistrée')).toHaveCount(0)
})

test('the documentation explains calls and refusals, and leads to the test of a call', async ({ page, admin }) => {
  expect(admin.companyId).toBeGreaterThan(1)
  await page.goto('/enedis-api/docs')
  const group = page.locator('#interface-collective')
  await group.getByText('Conventions', { exact: true }).click()
  await expect(group.getByRole('region', { name: /^Exemple de réponse/ }).first()).toContainText('agreement')

  await page.getByRole('searchbox', { name: 'Rechercher un code ou un mot' }).fill('titulaire a change')
  await expect(page.getByRole('table', { name: 'Codes d’erreur' })).toContainText('ADAM-ERR0061')
  await expect(page.getByText('1\u00a0code connu')).toBeVisible()

  await group.getByRole('link', { name: 'Tester cet appel' }).first().click()
  await expect(page).toHaveURL(/\/enedis-test\?appel=agreements$/)
  await expect(page.getByLabel('Appel')).toHaveValue('agreements')
})

test('a call made by hand shows its answer, a refusal what it means', async ({ page, admin }) => {
  expect(admin.companyId).toBeGreaterThan(1)
  await page.goto('/enedis-test?appel=agreements')
  await page.getByRole('button', { name: 'Lancer l’appel' }).click()
  await expect(page.getByText('HTTP\u00a0200').first()).toBeVisible()
  await expect(page.getByRole('region', { name: 'Corps de la réponse' })).toContainText('agreements')

  await page.getByLabel('Appel').selectOption('dataconnect-v2-load-curve-consumption')
  await page.getByLabel('Point (PRM)').fill('123')
  await page.getByRole('button', { name: 'Lancer l’appel' }).click()
  await expect(page.getByText('Un PRM compte quatorze chiffres, par exemple 19 125 759 625 988.')).toBeVisible()
  await expect(page.getByLabel('Point (PRM)')).toBeFocused()

  await page.getByLabel('Point (PRM)').fill('99 999 999 999 999')
  await page.getByRole('button', { name: 'Lancer l’appel' }).click()
  await expect(page.getByText('Le client n’est pas autorisé pour ce point.')).toBeVisible()
  const history = page.getByRole('list').filter({ has: page.getByRole('button', { name: /Conventions/ }) })
  await expect(history.getByRole('listitem')).toHaveCount(2)
  await history.getByRole('button', { name: /Conventions/ }).click()
  await expect(page.getByRole('region', { name: 'Corps de la réponse' })).toContainText('agreements')
  await expectAccessibleAndNoOverflow(page)
})

demo('an agreement is explored from its points to its series, and brought in', async ({ page, signedIn, ids }) => {
  demo.slow() // the sandbox settles a month of every point the first time it is asked
  await signedIn('admin')
  await page.goto(`/companies/${ids.companyId}/enedis-v4-explorer?convention=ACC00001274`)
  const agreements = page.getByRole('list', { name: 'Conventions' })
  await expectDemo(agreements.getByRole('button', { name: /ACC00001274/ })).toHaveAttribute('aria-current', 'true')
  const points = page.getByRole('list', { name: 'Points de la convention' })
  await expectDemo(page.getByRole('figure', { name: 'Séries de la convention' })).toBeVisible({ timeout: 40_000 })

  await points
    .getByRole('button', { name: /Consommateur/ })
    .first()
    .click()
  await expectDemo(page.getByRole('figure', { name: 'Séries du point' })).toBeVisible({ timeout: 40_000 })
  await expectDemo(page).toHaveURL(/point=cons-\d{14}/)
  await page.getByRole('button', { name: 'Complément du réseau complement' }).click()
  await expectDemo(page).toHaveURL(/series=cons%2Cautocons/)

  await page.getByRole('tab', { name: 'Tableau et JSON' }).click()
  await page.getByLabel('Réponse', { exact: true }).selectOption('autocons')
  await expectDemo(page.getByRole('table', { name: /Valeurs lues.: Autoconsommation/ })).toBeVisible()
  await expectDemo(page.getByRole('region', { name: /Réponse brute.: Autoconsommation/ })).toContainText('series')
  await page.getByRole('tab', { name: 'Quantités définitives' }).click()
  await expectDemo(page.getByRole('table', { name: 'Quantités définitives' })).toContainText('kWh', { timeout: 40_000 })

  await page.getByRole('button', { name: 'Importer dans Voisol' }).click()
  await page.getByRole('dialog').getByLabel('Séries de la convention').uncheck()
  await page.getByRole('button', { name: 'Demander ces données' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'Suivre la tâche' }).click()
  await expectDemo(page).toHaveURL(/\/enedis-api\/sync-tasks\/[0-9a-f-]{36}$/)
})
