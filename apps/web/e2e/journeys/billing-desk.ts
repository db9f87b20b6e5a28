import type { APIRequestContext, Page } from '@playwright/test'
import { bearer, expect, mailed, type Person, SECRET } from './people.ts'

export type Api = { request: APIRequestContext; admin: Person }
export const PLACE = { address: '12 rue des Lilas', postalCode: '69003', city: 'Lyon' }

export async function post({ request, admin }: Api, path: string, data: unknown = {}) {
  const answer = await request.post(path, { headers: bearer(admin), data })
  expect([path, answer.status(), answer.status() === 200 ? '' : await answer.text()]).toEqual([path, 200, ''])
  return answer.json()
}

/** The roof of a school, and homes: the school sells what its roof gives. */
export const roof = (prm: string, startsOn: string) => ({
  kind: 'organisation',
  name: 'École Prévert',
  direction: 'production',
  peakWatts: 9000,
  siren: '552081317',
  ...PLACE,
  prm,
  startsOn,
})
type Home = { name: string; prm: string; startsOn: string; email: string }
export const home = ({ name: lastName, ...more }: Home) => ({
  kind: 'person',
  firstName: 'Camille',
  lastName,
  subscribedVa: 6000,
  ...more,
})

/** Identity, VAT, mandate and price: what it takes for the school to be invoiced for from a day on. */
export async function sells(api: Api, operationId: string, startsOn: string) {
  const { admin, request } = api
  const { items } = await (await request.get('/api/sellers/candidates', { headers: bearer(admin) })).json()
  const found = items.find(({ name }: { name: string }) => name === 'École Prévert')
  const { participantId, name, siren, prefix } = found
  const more = { legalForm: '', siret: '', vatNumber: '', country: 'FR', email: '', phone: '', managementFees: [] }
  const known = { participantId, name, siren, prefix, ...PLACE, ...more, managementFeeRate: 2000 }
  const seller = await post(api, '/api/sellers', known)
  await post(api, `/api/sellers/${seller.id}/vat`, { startsOn, mode: 'exempt', rate: 0 })
  await post(api, `/api/sellers/${seller.id}/mandates`, { startsOn, endsOn: null, signedOn: startsOn })
  const rules = [{ id: 'prix', label: 'Énergie partagée', price: 1437 }]
  const draft = { label: 'Départ', startsOn, rules }
  const tariff = await post(api, `/api/acc-operations/${operationId}/tariffs`, draft)
  await post(api, `/api/tariffs/${tariff.id}/adopt`, { version: tariff.version })
  return seller.id as string
}

const ACCOUNT = { name: 'Compte courant', iban: 'FR7630006000011234567890189', bic: '', ics: 'FR72ZZZ123456' }

/** And has an account with its ICS, for which its clients may sign. */
export async function sellsByDebit(api: Api, operationId: string, startsOn: string) {
  const ownerId = await sells(api, operationId, startsOn)
  await post(api, '/api/bank-accounts', { ...ACCOUNT, painVersion: '08', ownerId })
}

export const emailOf = (name: string, { email }: Person) => `${name.toLowerCase()}-${email}`

/** Camille Diop, who has an account of the portal. */
export async function client({ request, admin }: Api): Promise<Pick<Person, 'token'>> {
  const headers = bearer(admin)
  const { items } = await (await request.get('/api/participants?q=diop', { headers })).json()
  await request.post(`/api/participants/${items[0].id}/invitation`, { headers })
  const path = (await mailed(request, emailOf('Diop', admin))).replace('/login?invitation=', '/api/auth/invitations/')
  const data = { firstName: 'Camille', lastName: 'Diop', password: SECRET }
  return { token: (await (await request.post(`${path}/accept`, { data })).json()).token }
}

export const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

/** Closes the month that is open on the page, issues its documents and sends them. */
export async function closesAndSends(page: Page, documents: number) {
  const reason = page.getByLabel('Raison de clôturer malgré ces réserves')
  await expect(button(page, 'Clôturer le mois').or(reason).first()).toBeVisible()
  if (await reason.isVisible()) await reason.fill('Sans attendre les quantités d’Enedis.')
  const asked = page.getByRole('alertdialog').or(page.getByRole('dialog'))
  await button(page, 'Clôturer le mois').click()
  await asked.getByRole('button', { name: 'Clôturer le mois' }).click()
  await button(page, /^Émettre/)
    .first()
    .click()
  await asked.getByRole('button', { name: /^Émettre/ }).click()
  await expect(page.getByText('Documents émis par')).toBeVisible()
  await button(page, `Envoyer ${documents} documents`).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Envoyer' }).click()
  await expect(page.getByText('Tous les documents de ce mois sont partis')).toBeVisible()
}

/** Looks at the one proposal there is, and issues it at a press. */
export async function regularises(page: Page, causes: RegExp) {
  const examine = page.getByRole('button', { name: 'Examiner', exact: true })
  // It is raised by a task, which may come after the page.
  await expect(async () => {
    await page.goto('/billing?tab=regularisations')
    await expect(examine).toBeVisible({ timeout: 5000 })
  }).toPass()
  await examine.click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('Camille Diop')).toBeVisible({ timeout: 30_000 })
  await expect(dialog.getByText(causes).first()).toBeVisible()
  await expect(dialog.getByText('Avoir', { exact: true }).first()).toBeVisible()
  await dialog.getByRole('button', { name: /^Émettre/ }).click()
  await expect(dialog.getByText(/^Régularisée par/)).toBeVisible({ timeout: 30_000 })
}
