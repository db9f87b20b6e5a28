import type { Page } from '@playwright/test'
import { addMonths, dayOf, dayStart, listDays, monthOf, stepsOfDay } from '@voisol/energy/calendar'
import { settleAtBank } from './bank-desk.ts'
import {
  ADDRESS,
  type Api,
  buildEmail,
  buildHomeDraft,
  buildPlantDraft,
  closeAndSendMonth,
  createPortalClient,
  getButton,
  issueProposedCorrection,
  postAsAdmin,
  setUpSeller,
} from './billing-desk.ts'
import { buildBearerHeader, confirmAddress, expect, expectAccessibleAndNoOverflow, openAs, test } from './people.ts'
import { changePrice, expectBothPricesInPreview } from './tariff-desk.ts'

const THIS = monthOf(dayOf(Math.floor(Date.now() / 60_000)))
const FIRST = addMonths(THIS, -1)
const MONTH = FIRST.slice(0, 7)
const ROOF = '19125759680100'
/** Before the 15th, and from it on. */
const PRICES = ['14,37\u00a0c€/kWh', '16,11\u00a0c€/kWh']
const HOMES = ['Aubert', 'Diop', 'Kessler'].map((name, at) => ({ name, prm: String(19_125_759_680_110 + at) }))

type Change = (home: number, at: number) => number
const usual: Change = (home, at) => 170 + 31 * home + at

const readings = (use: Change = usual) => {
  const rows = listDays(FIRST, THIS).flatMap((day) =>
    Array.from({ length: stepsOfDay(day, 15) }, (_, at) => {
      const stamp = new Date((dayStart(day) + at * 15) * 60_000).toISOString()
      return [stamp, Math.max(0, 2730 - 3 * (at - 48) ** 2), ...HOMES.map((_, home) => use(home, at))].join(';')
    }),
  )
  const prms = [ROOF, ...HOMES.map(({ prm }) => prm)].map((prm) => `${prm} (W)`)
  return [`Début;${prms.join(';')}`, ...rows, ''].join('\n')
}

async function settle({ request, admin }: Api, path: string, status: string) {
  const read = async () => (await (await request.get(path, { headers: buildBearerHeader(admin) })).json()).status
  await expect.poll(read, { timeout: 30_000 }).toBe(status)
}

async function bring(api: Api, use?: Change) {
  const octets = { ...buildBearerHeader(api.admin), 'content-type': 'application/octet-stream' }
  const data = Buffer.from(readings(use))
  const sent = await api.request.post('/api/curve-imports?name=mois.csv', { headers: octets, data })
  const { id } = await sent.json()
  const file = `/api/curve-imports/${id}`
  await settle(api, file, 'ready')
  // What was read before becomes another figure: its effects are looked at first.
  const body = { overwrite: use !== undefined }
  const { shown } = await postAsAdmin(api, '/api/effects', { kind: 'import', id, body })
  await postAsAdmin(api, `${file}/commit`, { ...body, ...(shown && { shown }) })
  await settle(api, file, 'done')
}

async function share(api: Api, operationId: string) {
  const wanted = { from: FIRST, to: THIS, kind: 'provisional' }
  const path = `/api/acc-operations/${operationId}/allocation-runs`
  let run = { id: '' }
  // The month so far may be computed by itself at this moment: then one waits one's turn.
  const ask = async () => {
    const answer = await api.request.post(path, { headers: buildBearerHeader(api.admin), data: wanted })
    if (answer.status() === 200) run = await answer.json()
    return answer.status()
  }
  await expect.poll(ask, { timeout: 30_000 }).toBe(200)
  await settle(api, `/api/allocation-runs/${run.id}`, 'done')
}

/** A month that was shared and could be billed, but for the address of one home. */
async function setUpOperationWithData(api: Api) {
  const { admin, request } = api
  await confirmAddress(request, admin)
  const homes = HOMES.map(({ name, prm }) => {
    const place = name === 'Diop' ? {} : ADDRESS
    return { ...buildHomeDraft({ name, prm, startsOn: FIRST, email: buildEmail(name, admin) }), ...place }
  })
  const participants = [buildPlantDraft(ROOF, FIRST), ...homes]
  const data = { name: 'Les Jardins', startsOn: FIRST, participants, key: { method: 'default', shares: [] } }
  const operation = await postAsAdmin(api, '/api/acc-operations', data)
  await bring(api)
  await share(api, operation.id)
  await setUpSeller(api, operation.id, FIRST)
  return operation as { id: string }
}

async function closeMonth(page: Page, operationId: string) {
  await page.goto(`/billing?operation=${operationId}&month=${MONTH}`)
  const blocked = page.getByRole('link', { name: /^Régler.*Diop/ })
  await expect(blocked).toBeVisible()
  await expect(getButton(page, 'Clôturer le mois')).toBeDisabled()
  await blocked.click()
  await page.getByLabel('Adresse de facturation').fill('8 rue des Tilleuls')
  await page.getByLabel('Code postal').fill('69003')
  await page.getByLabel('Commune').fill('Lyon')
  await getButton(page, 'Enregistrer l’identité').click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.goto(`/billing?operation=${operationId}&month=${MONTH}`)
  await expect(page.getByText('Clôturer').first()).toBeVisible()
  const reason = page.getByLabel('Raison de clôturer malgré ces réserves')
  await expect(getButton(page, 'Clôturer le mois').or(reason).first()).toBeVisible()
  await expectBothPricesInPreview(page, 'Camille Diop', PRICES)
  await closeAndSendMonth(page, 3)
}

test('the price changes on the 15th; the month is settled, closed, issued and sent; a correction becomes an avoir that the client reads', async ({
  page,
  request,
  admin,
  browser,
}) => {
  test.slow() // from readings to an avoir
  const api = { request, admin }
  const operation = await setUpOperationWithData(api)
  const somebody = await createPortalClient(api)
  await changePrice(page, operation.id, MONTH, '16,11')
  await closeMonth(page, operation.id)

  await page.goto('/invoices')
  await expect(page.getByRole('row', { name: /Diop/ }).or(page.getByText('Camille Diop')).first()).toBeVisible()
  await expectAccessibleAndNoOverflow(page)

  const portal = await openAs(browser, somebody)
  await portal.goto('/client-portal/invoices')
  await expect(portal.getByLabel('Document choisi')).toContainText('à payer au plus tard le')
  for (const price of PRICES) await expect(portal.getByText(price).first()).toBeVisible()
  await expectAccessibleAndNoOverflow(portal)

  await settleAtBank(page, api)

  // The meter of one home is read again: it drew far less.
  await bring(api, (home, at) => (home === 1 ? 40 : usual(home, at)))
  await share(api, operation.id)
  await issueProposedCorrection(page, /La répartition a été refaite/)
  await portal.goto('/client-portal/invoices')
  await expect(portal.getByLabel('Document choisi')).toContainText('en votre faveur')
})
