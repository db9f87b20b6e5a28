import { randomInt } from 'node:crypto'
import type { Page } from '@playwright/test'
import { addDays, addMonths, dayOf, listDays, monthOf, stepsOfDay } from '@voisol/energy/calendar'
import {
  ADDRESS,
  type Api,
  buildEmail,
  buildHomeDraft,
  buildPlantDraft,
  closeAndSendMonth,
  createPortalClient,
  issueProposedCorrection,
  postAsAdmin,
  setUpSeller,
} from './billing-desk.ts'
import { buildBearerHeader, confirmAddress, expect, expectAccessibleAndNoOverflow, openAs, test } from './people.ts'

const TODAY = dayOf(Math.floor(Date.now() / 60_000))
/** The last month whose every day is published for sure. */
const FIRST = addMonths(monthOf(addDays(TODAY, -3)), -1)
const NEXT = addMonths(FIRST, 1)
const LONG = { timeout: 120_000 }
const HOMES = ['Aubert', 'Diop', 'Kessler']

type OperationSetup = { id: string; plant: string; prms: string[] }

/** What the stand-in of the distributor is asked to know. */
async function declare({ request, admin }: Api, name: string, data: object) {
  const { sandboxUrl } = await (await request.get('/api/enedis/overview', { headers: buildBearerHeader(admin) })).json()
  expect((await request.put(`${sandboxUrl}/_sandbox/${name}`, { data })).status()).toBe(200)
}

async function waitForTaskEnd({ request, admin }: Api, id: string) {
  const read = async () => (await request.get(`/api/sync/tasks/${id}`, { headers: buildBearerHeader(admin) })).json()
  await expect.poll(async () => (await read()).finishedAt, LONG).not.toBeNull()
  expect((await read()).status).toBe('succeeded')
}

/** An operation that the distributor knows, with the same points and the same key. */
async function createAgreedOperation(api: Api): Promise<OperationSetup> {
  const base = randomInt(10_000_000, 99_999_999)
  const prmAt = (last: number) => `30001${base}${last}`
  const [plant, prms] = [prmAt(0), HOMES.map((_, at) => prmAt(at + 1))]
  const homes = HOMES.map((name, at) => ({
    ...buildHomeDraft({ name, prm: prms[at] ?? '', startsOn: FIRST, email: buildEmail(name, api.admin) }),
    ...ADDRESS,
  }))
  const known = { name: 'Les Jardins', accNumber: `ACC${base}`, startsOn: FIRST }
  const participants = [buildPlantDraft(plant, FIRST), ...homes]
  const { id } = await postAsAdmin(api, '/api/acc-operations', {
    ...known,
    participants,
    key: { method: 'default', shares: [] },
  })
  const point = (prm: string, direction: string) => ({ prm, direction, from: FIRST })
  const seat = (prm: string, role: string) => ({ prm, role, startsOn: FIRST, endsOn: null })
  await declare(api, 'points', [point(plant, 'production'), ...prms.map((prm) => point(prm, 'consumption'))])
  const points = [seat(plant, 'prod'), ...prms.map((prm) => seat(prm, 'cons'))]
  await declare(api, 'agreements', [
    { acc: known.accNumber, name: known.name, startsOn: FIRST, endsOn: null, points, key: 'default' },
  ])
  return { id, plant, prms }
}

/** By the screen, as somebody asks for it who does not wait for the night. */
async function requestSync(page: Page, api: Api, kind: string) {
  await page.goto('/enedis-api/sync-tasks?nouvelle=1')
  const dialog = page.getByRole('dialog', { name: 'Demander des données' })
  await dialog.getByLabel('Opération', { exact: true }).selectOption('Les Jardins')
  await dialog.getByLabel('Données', { exact: true }).selectOption(kind)
  const typed = (day: string) => day.split('-').reverse().join('/')
  await dialog.getByLabel('Premier jour').fill(typed(FIRST))
  await dialog.getByLabel('Dernier jour').fill(typed(addDays(NEXT, -1)))
  await dialog.getByRole('button', { name: 'Demander les données' }).click()
  await expect(page).toHaveURL(/\/enedis-api\/sync-tasks\/[\w-]{36}$/)
  await waitForTaskEnd(api, page.url().split('/').at(-1) ?? '')
}

/** What comes in is shared out by itself. */
async function waitForAllocation({ request, admin }: Api, { id }: OperationSetup) {
  const read = async () => {
    const answer = await request.get(`/api/acc-operations/${id}/allocation-runs`, { headers: buildBearerHeader(admin) })
    return (await answer.json()).items[0]?.status
  }
  await expect.poll(read, LONG).toBe('done')
}

/** A meter was read wrong all month: the distributor publishes its curve anew, and what follows from it for all. */
async function publishCorrectedCurve(api: Api, { prms }: OperationSetup) {
  const from = new Date(Date.now() - 60_000).toISOString()
  const watts = (day: string) => Array.from({ length: stepsOfDay(day, 15) }, () => 41)
  const readings = listDays(FIRST, NEXT).map((day) => ({
    prm: prms[1],
    direction: 'consumption',
    day,
    watts: watts(day),
    from,
  }))
  await declare(api, 'readings', readings)
}

/** Nobody has to look for it: it is there a moment after the figures. */
async function waitForRaisedCorrection({ request, admin }: Api) {
  const read = async () => {
    const { items } = await (
      await request.get('/api/corrections?state=open', { headers: buildBearerHeader(admin) })
    ).json()
    return items[0]?.causes
  }
  await expect.poll(read, LONG).toContain('quantities')
}

test('Enedis corrects a month that was billed on its own figures: a proposal, one press, and an avoir in the portal', async ({
  page,
  request,
  admin,
  browser,
}) => {
  test.slow() // two synchronisations, a close and a regularisation
  const api = { request, admin }
  await confirmAddress(request, admin)
  const scene = await createAgreedOperation(api)
  await setUpSeller(api, scene.id, FIRST)
  const somebody = await createPortalClient(api)
  await requestSync(page, api, 'Courbes de charge')
  await waitForAllocation(api, scene)
  await requestSync(page, api, 'Quantités définitives')

  await page.goto(`/billing?operation=${scene.id}&month=${FIRST.slice(0, 7)}`)
  await closeAndSendMonth(page, HOMES.length)
  const portal = await openAs(browser, somebody)
  await portal.goto('/client-portal/invoices')
  await expect(portal.getByLabel('Document choisi')).toContainText('à payer au plus tard le')
  await expect(portal.getByText('Enedis définitif').first()).toBeVisible()

  await publishCorrectedCurve(api, scene)
  await requestSync(page, api, 'Courbes de charge')
  await requestSync(page, api, 'Quantités définitives')
  await waitForRaisedCorrection(api)
  await page.goto('/billing?tab=regularisations')
  await expect(page.getByRole('row').filter({ hasText: 'Enedis a publié d’autres quantités' })).toBeVisible()
  await expectAccessibleAndNoOverflow(page)
  await issueProposedCorrection(page, /Enedis a publié d’autres quantités/)

  await portal.goto('/client-portal/invoices')
  await expect(portal.getByLabel('Document choisi')).toContainText('en votre faveur')
  await expect(portal.getByText(/^Il corrige le document .*Enedis a publié d’autres quantités/)).toBeVisible()
  await expectAccessibleAndNoOverflow(portal)
})
