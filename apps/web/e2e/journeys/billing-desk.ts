import type { APIRequestContext, Page } from '@playwright/test'
import { buildBearerHeader, expect, type Person, readMailedLink, TEST_PASSWORD } from './people.ts'

export type Api = { request: APIRequestContext; admin: Person }
export const ADDRESS = { address: '12 rue des Lilas', postalCode: '69003', city: 'Lyon' }

export async function postAsAdmin({ request, admin }: Api, path: string, data: unknown = {}) {
  const answer = await request.post(path, { headers: buildBearerHeader(admin), data })
  expect([path, answer.status(), answer.status() === 200 ? '' : await answer.text()]).toEqual([path, 200, ''])
  return answer.json()
}

/** The roof of a school, and homes: the school sells what its roof gives. */
export const buildPlantDraft = (prm: string, startsOn: string) => ({
  kind: 'organisation',
  name: 'École Prévert',
  direction: 'production',
  peakWatts: 9000,
  siren: '552081317',
  ...ADDRESS,
  prm,
  startsOn,
})
type Home = { name: string; prm: string; startsOn: string; email: string }
export const buildHomeDraft = ({ name: lastName, ...more }: Home) => ({
  kind: 'person',
  firstName: 'Camille',
  lastName,
  subscribedVa: 6000,
  ...more,
})

/** Identity, VAT, mandate and price: what it takes for the school to be invoiced for from a day on. */
export async function setUpSeller(api: Api, operationId: string, startsOn: string) {
  const { admin, request } = api
  const { items } = await (await request.get('/api/sellers/candidates', { headers: buildBearerHeader(admin) })).json()
  const found = items.find(({ name }: { name: string }) => name === 'École Prévert')
  const { participantId, name, siren, prefix } = found
  const more = { legalForm: '', siret: '', vatNumber: '', country: 'FR', email: '', phone: '', managementFees: [] }
  const known = { participantId, name, siren, prefix, ...ADDRESS, ...more, managementFeeRate: 2000 }
  const seller = await postAsAdmin(api, '/api/sellers', known)
  await postAsAdmin(api, `/api/sellers/${seller.id}/vat`, { startsOn, mode: 'exempt', rate: 0 })
  await postAsAdmin(api, `/api/sellers/${seller.id}/mandates`, { startsOn, endsOn: null, signedOn: startsOn })
  const rules = [{ id: 'prix', label: 'Énergie partagée', price: 1437 }]
  const draft = { label: 'Départ', startsOn, rules }
  const tariff = await postAsAdmin(api, `/api/acc-operations/${operationId}/tariffs`, draft)
  await postAsAdmin(api, `/api/tariffs/${tariff.id}/adopt`, { version: tariff.version })
  return seller.id as string
}

const ACCOUNT = { name: 'Compte courant', iban: 'FR7630006000011234567890189', bic: '', ics: 'FR72ZZZ123456' }

/** And has an account with its ICS, for which its clients may sign. */
export async function setUpSellerWithDebit(api: Api, operationId: string, startsOn: string) {
  const ownerId = await setUpSeller(api, operationId, startsOn)
  await postAsAdmin(api, '/api/bank-accounts', { ...ACCOUNT, painVersion: '08', ownerId })
}

export const buildEmail = (name: string, { email }: Person) => `${name.toLowerCase()}-${email}`

/** Camille Diop, who has an account of the portal. */
export async function createPortalClient({ request, admin }: Api): Promise<Pick<Person, 'token'>> {
  const headers = buildBearerHeader(admin)
  const { items } = await (await request.get('/api/participants?q=diop', { headers })).json()
  await request.post(`/api/participants/${items[0].id}/invitation`, { headers })
  const path = (await readMailedLink(request, buildEmail('Diop', admin))).replace(
    '/login?invitation=',
    '/api/auth/invitations/',
  )
  const data = { firstName: 'Camille', lastName: 'Diop', password: TEST_PASSWORD }
  return { token: (await (await request.post(`${path}/accept`, { data })).json()).token }
}

export const getButton = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

/** Closes the month that is open on the page, issues its documents and sends them. */
export async function closeAndSendMonth(page: Page, documents: number) {
  const reason = page.getByLabel('Raison de clôturer malgré ces réserves')
  await expect(getButton(page, 'Clôturer le mois').or(reason).first()).toBeVisible()
  if (await reason.isVisible()) await reason.fill('Sans attendre les quantités d’Enedis.')
  const asked = page.getByRole('alertdialog').or(page.getByRole('dialog'))
  await getButton(page, 'Clôturer le mois').click()
  await asked.getByRole('button', { name: 'Clôturer le mois' }).click()
  await getButton(page, /^Émettre/)
    .first()
    .click()
  await asked.getByRole('button', { name: /^Émettre/ }).click()
  await expect(page.getByText('Documents émis par')).toBeVisible()
  await getButton(page, `Envoyer ${documents} documents`).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Envoyer' }).click()
  await expect(page.getByText('Tous les documents de ce mois sont partis')).toBeVisible()
}

/** Looks at the one proposal there is, and issues it at a press. */
export async function issueProposedCorrection(page: Page, causes: RegExp) {
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
