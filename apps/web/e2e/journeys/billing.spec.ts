import type { Page } from '@playwright/test'
import { addMonths, dayOf, dayStart, listDays, monthOf, stepsOfDay } from '@voisol/energy/calendar'
import { settlesAtBank } from './bank-desk.ts'
import {
  type Api,
  button,
  client,
  closesAndSends,
  emailOf,
  home,
  PLACE,
  post,
  regularises,
  roof,
  sells,
} from './billing-desk.ts'
import { bearer, confirmAddress, expect, expectWhole, openAs, test } from './people.ts'
import { changesPrice, previewsBoth } from './tariff-desk.ts'

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
  const read = async () => (await (await request.get(path, { headers: bearer(admin) })).json()).status
  await expect.poll(read, { timeout: 30_000 }).toBe(status)
}

async function bring(api: Api, use?: Change) {
  const octets = { ...bearer(api.admin), 'content-type': 'application/octet-stream' }
  const data = Buffer.from(readings(use))
  const sent = await api.request.post('/api/curve-imports?name=mois.csv', { headers: octets, data })
  const { id } = await sent.json()
  const file = `/api/curve-imports/${id}`
  await settle(api, file, 'ready')
  // What was read before becomes another figure: its effects are looked at first.
  const body = { overwrite: use !== undefined }
  const { shown } = await post(api, '/api/effects', { kind: 'import', id, body })
  await post(api, `${file}/commit`, { ...body, ...(shown && { shown }) })
  await settle(api, file, 'done')
}

async function share(api: Api, operationId: string) {
  const wanted = { from: FIRST, to: THIS, kind: 'provisional' }
  const path = `/api/acc-operations/${operationId}/allocation-runs`
  let run = { id: '' }
  // The month so far may be computed by itself at this moment: then one waits one's turn.
  const ask = async () => {
    const answer = await api.request.post(path, { headers: bearer(api.admin), data: wanted })
    if (answer.status() === 200) run = await answer.json()
    return answer.status()
  }
  await expect.poll(ask, { timeout: 30_000 }).toBe(200)
  await settle(api, `/api/allocation-runs/${run.id}`, 'done')
}

/** A month that was shared and could be billed, but for the address of one home. */
async function lived(api: Api) {
  const { admin, request } = api
  await confirmAddress(request, admin)
  const homes = HOMES.map(({ name, prm }) => {
    const place = name === 'Diop' ? {} : PLACE
    return { ...home({ name, prm, startsOn: FIRST, email: emailOf(name, admin) }), ...place }
  })
  const participants = [roof(ROOF, FIRST), ...homes]
  const data = { name: 'Les Jardins', startsOn: FIRST, participants, key: { method: 'default', shares: [] } }
  const operation = await post(api, '/api/acc-operations', data)
  await bring(api)
  await share(api, operation.id)
  await sells(api, operation.id, FIRST)
  return operation as { id: string }
}

async function closes(page: Page, operationId: string) {
  await page.goto(`/billing?operation=${operationId}&month=${MONTH}`)
  const blocked = page.getByRole('link', { name: /^Régler.*Diop/ })
  await expect(blocked).toBeVisible()
  await expect(button(page, 'Clôturer le mois')).toBeDisabled()
  await blocked.click()
  await page.getByLabel('Adresse de facturation').fill('8 rue des Tilleuls')
  await page.getByLabel('Code postal').fill('69003')
  await page.getByLabel('Commune').fill('Lyon')
  await button(page, 'Enregistrer l’identité').click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.goto(`/billing?operation=${operationId}&month=${MONTH}`)
  await expect(page.getByText('Clôturer').first()).toBeVisible()
  const reason = page.getByLabel('Raison de clôturer malgré ces réserves')
  await expect(button(page, 'Clôturer le mois').or(reason).first()).toBeVisible()
  await previewsBoth(page, 'Camille Diop', PRICES)
  await closesAndSends(page, 3)
}

test('the price changes on the 15th; the month is settled, closed, issued and sent; a correction becomes an avoir that the client reads', async ({
  page,
  request,
  admin,
  browser,
}) => {
  test.slow() // from readings to an avoir
  const api = { request, admin }
  const operation = await lived(api)
  const somebody = await client(api)
  await changesPrice(page, operation.id, MONTH, '16,11')
  await closes(page, operation.id)

  await page.goto('/invoices')
  await expect(page.getByRole('row', { name: /Diop/ }).or(page.getByText('Camille Diop')).first()).toBeVisible()
  await expectWhole(page)

  const portal = await openAs(browser, somebody)
  await portal.goto('/client-portal/invoices')
  await expect(portal.getByLabel('Document choisi')).toContainText('à payer au plus tard le')
  for (const price of PRICES) await expect(portal.getByText(price).first()).toBeVisible()
  await expectWhole(portal)

  await settlesAtBank(page, api)

  // The meter of one home is read again: it drew far less.
  await bring(api, (home, at) => (home === 1 ? 40 : usual(home, at)))
  await share(api, operation.id)
  await regularises(page, /La répartition a été refaite/)
  await portal.goto('/client-portal/invoices')
  await expect(portal.getByLabel('Document choisi')).toContainText('en votre faveur')
})
