import { expect, expectAccessible, openInteractive, test, waitForAlert } from '../fixtures.ts'

test.beforeEach(async ({ page }) => {
  await page.clock.install()
  await openInteractive(page, '/api-docs')
})

test('four parts, three languages, and a copy that is confirmed for two seconds', async ({ page, context }) => {
  test.slow() // four long pages are measured
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const parts = page.getByRole('tablist', { name: 'Parties de l’API' })
  await expect(parts.getByRole('tab')).toHaveText([
    'Authentification',
    'Opérations',
    'Données énergétiques',
    'Webhooks',
  ])
  const first = page.getByRole('article').first()
  await first.getByRole('tab', { name: 'cURL' }).click()
  await first.getByRole('button', { name: 'Copier' }).first().click()
  await expect(first.getByRole('button', { name: 'Copié' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('curl')
  await page.clock.fastForward(2000)
  await expect(first.getByRole('button', { name: 'Copié' })).toHaveCount(0)
  for (const name of ['Opérations', 'Données énergétiques', 'Webhooks']) {
    await parts.getByRole('tab', { name }).click()
    await expect(page.getByRole('article').first()).toBeVisible()
    await expectAccessible(page)
  }
})

test('a call is tried on the demonstration', async ({ page, ids }) => {
  expect(ids.operationId).toBeTruthy()
  await page.getByRole('tab', { name: 'Opérations' }).click()
  const list = page.getByRole('article').filter({ hasText: 'GET/api/acc-operations' }).first()
  await list.getByRole('button', { name: 'Lancer l’appel' }).click()
  await expect(list.getByRole('status')).toContainText('200')
  await expect(list.getByRole('status')).toContainText('"items"')
})

test('the documentation is downloaded as a PDF, and its failure is told by an alert', async ({ page }) => {
  const pdf = page.getByRole('button', { name: /Télécharger la documentation/ })
  const download = page.waitForEvent('download')
  await pdf.click()
  expect((await download).suggestedFilename()).toBe('documentation-api-voisol.pdf')
  await page.route('**/api/pdf/generate-api-docs', (route) => route.fulfill({ status: 503, body: '' }))
  const told = waitForAlert(page)
  await pdf.click()
  expect(await told).toBe('Erreur lors du téléchargement de la documentation. Veuillez réessayer.')
})
