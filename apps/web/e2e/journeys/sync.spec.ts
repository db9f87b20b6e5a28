import { randomInt } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { APIRequestContext, Page } from '@playwright/test'
import { addDays, addMonths, dayOf, monthOf } from '@voisol/energy/calendar'
import { buildBearerHeader, expect, expectAccessibleAndNoOverflow, getToast, type Person, test } from './people.ts'

const TODAY = dayOf(Math.floor(Date.now() / 60_000))
/** The last month whose every day is published for sure. */
const MONTH = addMonths(monthOf(addDays(TODAY, -3)), -1)
const STARTS = addMonths(MONTH, -1)
const LONG = { timeout: 45_000 }

type OperationSetup = { id: string; plant: string; lambert: string; moreau: string; acc: string }

/** The stand-in of the distributor is asked to know some points. */
async function declare(request: APIRequestContext, admin: Person, name: string, data: object) {
  const { sandboxUrl } = await (await request.get('/api/enedis/overview', { headers: buildBearerHeader(admin) })).json()
  expect((await request.put(`${sandboxUrl}/_sandbox/${name}`, { data })).status()).toBe(200)
}
const point = (prm: string, direction = 'consumption') => ({ prm, direction, from: STARTS })

/** A roof and two homes; the distributor does not know the second home. */
async function found(request: APIRequestContext, admin: Person): Promise<OperationSetup> {
  const base = randomInt(10_000_000, 99_999_999)
  const [plant = '', lambert = '', moreau = ''] = [0, 1, 2].map((last) => `30001${base}${last}`)
  const acc = `ACC${base}`
  const home = (name: string, prm: string) => ({ name, prm, subscribedVa: 9000, startsOn: STARTS })
  const roof = { name: 'École Prévert', kind: 'organisation', label: 'Toit de l’école', direction: 'production' }
  const participants = [
    { ...roof, prm: plant, peakWatts: 9000, startsOn: STARTS },
    home('Famille Lambert', lambert),
    home('Inès Moreau', moreau),
  ]
  const key = { method: 'default', shares: [] }
  const data = { name: 'Les Jardins de Brossolette', accNumber: acc, startsOn: STARTS, participants, key }
  const answer = await request.post('/api/acc-operations', { headers: buildBearerHeader(admin), data })
  expect(answer.status()).toBe(200)
  await declare(request, admin, 'points', [point(plant, 'production'), point(lambert)])
  return { id: (await answer.json()).id, plant, lambert, moreau, acc }
}

type SyncRequest = { kind: string; from: string; to: string }
async function sync(request: APIRequestContext, admin: Person, operationId: string, wanted: SyncRequest) {
  const headers = buildBearerHeader(admin)
  const answer = await request.post('/api/sync/tasks', { headers, data: { ...wanted, operationId } })
  expect(answer.status()).toBe(200)
  const { id } = await answer.json()
  const status = async () => (await (await request.get(`/api/sync/tasks/${id}`, { headers })).json()).finishedAt
  await expect.poll(status, LONG).not.toBeNull()
}
/** Days that the distributor tells of at any hour: yesterday's come in the morning. */
const week = { kind: 'load-curve', from: addDays(TODAY, -9), to: addDays(TODAY, -2) }
const month = { from: MONTH, to: addMonths(MONTH, 1) }

const tab = (page: Page, { id }: OperationSetup) => page.goto(`/acc-operations/${id}?onglet=distributeur`)

test('data are asked for, followed, and what failed is explained', async ({ page, admin, request }) => {
  await found(request, admin)
  await page.goto('/enedis-api/sync-tasks')
  await expect(page.getByText('Aucune synchronisation')).toBeVisible()
  await page.goto('/enedis-api/sync-tasks?nouvelle=1')
  const dialog = page.getByRole('dialog', { name: 'Demander des données' })
  await dialog.getByRole('button', { name: 'Demander les données' }).click()
  await expect(dialog.getByLabel('Opération', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await dialog.getByLabel('Opération', { exact: true }).selectOption('Les Jardins de Brossolette')
  await dialog.getByRole('button', { name: '30 derniers jours' }).click()
  await expect(dialog.getByRole('status')).toContainText(/1[58]\sappels, environ [34]\ssecondes/)
  await dialog.getByRole('radio', { name: 'Choisir des points' }).check()
  await dialog.getByRole('checkbox', { name: 'Famille Lambert' }).check()
  await dialog.getByRole('checkbox', { name: 'Inès Moreau' }).check()
  await expectAccessibleAndNoOverflow(page)
  await dialog.getByRole('button', { name: '7 derniers jours' }).click()
  await dialog.getByRole('button', { name: 'Demander les données' }).click()

  await expect(page).toHaveURL(/\/enedis-api\/sync-tasks\/[\w-]{36}$/)
  await expect(page.getByRole('region', { name: 'Résultat' })).toBeVisible(LONG)
  await expect(page.getByText('Partielle')).toBeVisible(LONG)
  await expect(page.getByRole('region', { name: 'Résultat' })).toContainText(/Jours nouveaux[67]/)
  const table = page.getByRole('table', { name: 'Demandes de la synchronisation' })
  await page.getByRole('button', { name: 'Échoué', exact: true }).click()
  await expect(table.getByText('Famille Lambert')).toHaveCount(0)
  await table
    .getByRole('button', { name: /^Essais de Inès Moreau/ })
    .first()
    .click()
  await expect(table.getByText(/HTTP\s403 · SGT403/)).toBeVisible()
  await expectAccessibleAndNoOverflow(page)
  const saved = page.waitForEvent('download')
  await table.getByRole('button', { name: 'Réponse archivée' }).click()
  expect(await readFile(await (await saved).path(), 'utf8')).toContain('SGT403')

  await page.getByRole('link', { name: 'Tâches de synchronisation' }).click()
  const row = page.getByRole('row', { name: /Les Jardins de Brossolette/ })
  await expect(row).toContainText('Partielle')
  await row.getByRole('link').click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Courbes de charge')
})

test('errors are grouped by cause, listed, taken away and marked as handled', async ({ page, admin, request }) => {
  const scene = await found(request, admin)
  await sync(request, admin, scene.id, week)
  await page.goto('/enedis-error-logs')
  const cause = page.getByRole('list', { name: 'Causes' }).getByRole('listitem')
  await expect(cause).toContainText('Le client n’est pas autorisé pour ce point.')
  await expect(cause).toContainText('SGT403')
  await expectAccessibleAndNoOverflow(page)
  await cause.getByRole('link', { name: /1\spoint/ }).click()
  const table = page.getByRole('table', { name: 'Erreurs du distributeur' })
  await expect(table.getByRole('row')).toHaveCount(2)
  await expect(table.getByRole('link', { name: 'Voir la tâche' })).toBeVisible()
  await expectAccessibleAndNoOverflow(page)
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Exporter' }).click()
  await page.getByRole('menuitem', { name: 'CSV pour Excel' }).click()
  expect(await readFile(await (await saved).path(), 'utf8')).toContain(scene.moreau)
  await table.getByRole('checkbox', { name: /^Sélectionner SGT403/ }).check()
  await page.getByRole('button', { name: 'Marquer comme traité' }).click()
  await expect(getToast(page)).toContainText(/1\serreur marquée comme traitée/)
  await expect(page.getByText('Aucun résultat')).toBeVisible()
  await page.getByRole('tab', { name: 'Par cause' }).click()
  await expect(page.getByText('Aucune erreur à traiter')).toBeVisible()
})

test('a point that is held up is seen on the operation and called again', async ({ page, admin, request }) => {
  const scene = await found(request, admin)
  await sync(request, admin, scene.id, week)
  await tab(page, scene)
  const blocked = page.getByRole('listitem').filter({ hasText: 'Inès Moreau' })
  await expect(blocked).toContainText('Le client n’est pas autorisé pour ce point.')
  await expectAccessibleAndNoOverflow(page)
  await declare(request, admin, 'points', [point(scene.moreau)])
  await blocked.getByRole('button', { name: /^Reprendre/ }).click()
  await expect(getToast(page)).toContainText('Les appels de ce point reprennent')
  await expect(blocked).toHaveCount(0)
})

test('our figures are held against those of the distributor, down to the step', async ({ page, admin, request }) => {
  test.slow()
  const scene = await found(request, admin)
  const { id, plant, lambert, moreau, acc } = scene
  const stranger = '30001610071843'
  await declare(request, admin, 'points', [point(moreau), point(stranger)])
  const seat = (prm: string, role: string) => ({ prm, role, startsOn: STARTS, endsOn: null })
  const seats = [seat(plant, 'prod'), seat(lambert, 'cons'), seat(moreau, 'cons'), seat(stranger, 'cons')]
  const agreement = { acc, name: 'Brossolette', startsOn: STARTS, endsOn: null, points: seats, key: 'default' }
  await declare(request, admin, 'agreements', [agreement])
  await sync(request, admin, id, { kind: 'load-curve', ...month })
  // What comes in is shared out by itself.
  const runs = async () =>
    (
      await (
        await request.get(`/api/acc-operations/${id}/allocation-runs`, { headers: buildBearerHeader(admin) })
      ).json()
    ).items
  await expect.poll(async () => (await runs())[0]?.status, LONG).toBe('done')
  await sync(request, admin, id, { kind: 'perimeter', from: addDays(TODAY, -1), to: TODAY })
  await sync(request, admin, id, { kind: 'agreement-series', ...month })
  await tab(page, scene)
  await expect(page.getByRole('region', { name: 'Points inconnus ici' }).first()).toContainText('30\u202f001\u202f610')
  const months = page.getByRole('table', { name: 'Mois rapprochés' })
  await months.getByRole('link').click()
  const rows = page.getByRole('table', { name: 'Écarts avec Enedis' })
  await rows.getByRole('link', { name: 'Famille Lambert' }).click()
  await expect(rows.getByRole('row')).toHaveCount(1 + Number(addDays(month.to, -1).slice(8)))
  await expectAccessibleAndNoOverflow(page)
  await rows.getByRole('link').nth(9).click()
  await expect(rows.getByRole('row')).toHaveCount(97)
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Exporter' }).click()
  await page.getByRole('menuitem', { name: 'CSV pour Excel' }).click()
  expect((await readFile(await (await saved).path(), 'utf8')).split('\n').length).toBeGreaterThan(96)
  await page.getByRole('navigation', { name: 'Rapprochement affiché' }).getByRole('link').first().click()
  await expect(months).toBeVisible()
})
